"""A site over time: what changed between two results, as a table, JSON or a feed, and one command that keeps watch."""
