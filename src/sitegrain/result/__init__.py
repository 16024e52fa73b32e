"""What was found in a site: the recipe, the result and its folder."""
