"""A result in forms that other programs open: SQLite, CSV, JSON lines, Parquet, Markdown files, a vault for Obsidian, and
chunks for retrieval."""

from sitegrain.export.export import FORMATS, export

__all__ = ["FORMATS", "export"]
