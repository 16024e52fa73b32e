"""What there is to mend after the decision."""
