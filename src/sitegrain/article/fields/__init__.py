"""What an article is called, who wrote it, when, in which language ...: every field with where it was found."""

from sitegrain.article.fields.metadata import json_ld_text
from sitegrain.article.fields.page import NAMES, Fields, article_fields
from sitegrain.article.fields.sitevote import SiteFields
from sitegrain.article.fields.values import Field, Images

__all__ = ["NAMES", "Field", "Fields", "Images", "SiteFields", "article_fields", "json_ld_text"]
