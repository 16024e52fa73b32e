"""`mine` on Spark, many sites at once: `sitegrain.spark.mine(df)`. Needs pyspark (extra `spark`) and Java on every machine."""

from sitegrain.spark.mining import Limits, Mined, mine, read_warcs

__all__ = ["Limits", "Mined", "mine", "read_warcs"]
