"""How well roles are told: sets of pages to measure on, and the report."""
