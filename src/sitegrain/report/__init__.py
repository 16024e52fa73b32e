"""Something to look at: a static report of a result. It shows what was found and computes nothing of its own."""

from sitegrain.report.write import write_report

__all__ = ["write_report"]
