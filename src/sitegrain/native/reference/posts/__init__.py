"""The posts of threads, and days in lines."""
