"""How well pages read: structure, fields, lists and posts against labelled pages."""
