"""What the links of a site tell of its pages."""
