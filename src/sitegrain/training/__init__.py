"""From labelled pages to the model files that the package ships. Needs the extra `train`."""
