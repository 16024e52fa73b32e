"""Hostile input and faults: a corpus of generated pages with ceilings, fuzzing, fault injection."""
