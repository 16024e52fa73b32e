"""Sites that real programs print of known contents: boards, mailing lists, trackers, magazines, blogs, wikis and events.

    python bench/looks/programs.py OUT TOOLS [NAME]...

Pages are served on loopback and crawled there. Nothing is downloaded: TOOLS holds what package clients put there before.
"""

from __future__ import annotations

import shutil
import sys
import traceback
from collections.abc import Callable
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1] / "docsites"))

import blogs
import boards
import magazines
import trackers

SITES: dict[str, tuple[Callable[[str, Path, Path, str], None], str]] = {
    "fossil": (boards.fossil, "en"),
    "public-inbox": (boards.public_inbox, "en"),
    "hyperkitty": (boards.hyperkitty, "es"),
    "trac": (trackers.trac, "ja"),
    "roundup": (trackers.roundup, "de"),
    "askbot": (trackers.askbot, "en"),
    "plone": (magazines.plone, "he"),
    "puput": (magazines.puput, "ko"),
    "pretalx": (magazines.pretalx, "en"),
    "docusaurus-blog": (blogs.docusaurus, "hi"),
    "starlight-blog": (blogs.starlight, "th"),
    "astropaper": (blogs.astropaper, "en"),
}


def main() -> None:
    out, tools, *names = sys.argv[1:]
    for name in names or SITES:
        builder, language = SITES[name]
        site = Path(out).absolute() / name
        shutil.rmtree(site, ignore_errors=True)
        (site / "work").mkdir(parents=True)
        try:
            builder(name, site, Path(tools).absolute(), language)
            print(f"{name}: built")
        except Exception as error:  # one program that fails is none of the others' business
            print(f"{name}: FAILED {str(error).strip()[-700:]}")
            traceback.print_exc()
        sys.stdout.flush()


if __name__ == "__main__":
    main()
