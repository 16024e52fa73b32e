"""Words and names of classes by which a post tells who wrote it, when, and what it quotes."""

from __future__ import annotations

import re

USER = re.compile(r"user|member|author|profile|poster|nick|people|uid|fn\b|vcard|(?:^|[-_ /])u/|creator", re.IGNORECASE)
CALLED = re.compile(r"(?:user|author|nick|member|poster)[-_]?name|nickname|(?:^|[\s_-])author(?:$|\s)", re.IGNORECASE)
RANK = re.compile(r"title|rank|role|group|level|badge", re.IGNORECASE)
QUOTE = re.compile(r"quote|cite|zitat|bbcode_quote", re.IGNORECASE)
_MONTH = r"(?:jan|feb|mar|apr|ma[iy]|jun|jul|aug|sep|o[ck]t|nov|de[cz])[^\W\d]{0,7}"
WHEN = re.compile(
    rf"\b{_MONTH}\.?\s+\d{{1,2}}\b|\b\d{{1,2}}\.?\s+{_MONTH}\b|\b{_MONTH}\.?\s+(?:19|20)\d\d\b|"
    r"\b\d{1,2}[./-]\d{1,2}[./-]\d{2,4}\b|\b(?:19|20)\d\d[-/.]\d{1,2}[-/.]\d{1,2}\b|\b\d{1,2}[:h]\d\d\b|"
    r"\b\d+\s+(?:second|minute|hour|day|week|month|year)s?\s+ago\b|\bago\b|\b(?:yesterday|today|gestern|heute|hier|ayer|hoy)\b|"
    r"\bvor\s+\d+\s|\bil y a\b|\bhace\s+\d|[前日]\b|\b\d{1,2}(?:st|nd|rd|th|\.)?\s+[^\W\d]{3,10}\.?,?\s+(?:19|20)?\d\d\b|"
    r"\b[^\W\d]{3,10}\.?\s+\d{1,2}(?:st|nd|rd|th)?,?\s+(?:19|20)\d\d\b",
    re.IGNORECASE,
)
NOT_WHEN = re.compile(r"edited|last|updated|geändert|modifi", re.IGNORECASE)
JOINED = re.compile(r"join|regist|member since|dabei|beigetreten|seit|inscri|miembro", re.IGNORECASE)
NO_NAME = re.compile(
    r"(?:re|reply|quote|share|like|report|post|posts|edit|author|user|guest|says?|said|wrote|by|on|permalink|link|top|"
    r"member|moderator|administrator|senior member|newbie|offline|online|message|answer|antworten|zitieren|melden|"
    r"hi|hello|hallo|hey|von|par|por|profile?|(?:view|show) .{0,20}profile|topic author|thread starter|community leader)s?[:.]?|"
    r"[.,;:@].*|\d+ \w+",
    re.IGNORECASE,
)
