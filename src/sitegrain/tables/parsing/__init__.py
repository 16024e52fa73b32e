"""From the bytes of captures to the tables of a site."""
