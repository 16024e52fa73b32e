"""Plain pages, which only the compiled body reads."""
