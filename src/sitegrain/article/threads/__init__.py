"""The posts of a thread, or the comments under an article: who, when, what."""
