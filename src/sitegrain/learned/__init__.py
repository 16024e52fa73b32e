"""What trained models are made of: ensembles of trees, and the files that hold what was learned."""
