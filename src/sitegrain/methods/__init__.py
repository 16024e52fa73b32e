"""The published methods and their rivals: one file each, or a small package."""
