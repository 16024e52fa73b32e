"""From an entrance URL to a WARC: politely, safely and so that it can go on after a kill.

`crawl` starts a child process (`child`), which runs Scrapy (`spider`, `middleware`) on the state of one
crawl (`job`): URLs to fetch (`frontier`, `addresses`, `traps`), the WARC that is output and log in one
(`archive`), and the check of every address that is connected to (`guard`).
"""

from sitegrain.sources.crawl.options import CrawlOptions, CrawlSummary
from sitegrain.sources.crawl.parent import crawl

__all__ = ["CrawlOptions", "CrawlSummary", "crawl"]
