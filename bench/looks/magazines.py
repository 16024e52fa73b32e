"""News, blogs and events: Plone, Wagtail's Puput and CodeRed, pretalx."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from files import run, write
from served import PORT, crawled, serving, tell
from stuff import Item
from telling import Told
from writers import escaped

PLONE = """
import json
import transaction
from AccessControl.SecurityManagement import newSecurityManager
from DateTime import DateTime
from plone import api
from plone.app.textfield.value import RichTextValue
from Products.CMFPlone.factory import addPloneSite
from zope.component.hooks import setSite
told = json.load(open("pages.json"))
newSecurityManager(None, app.acl_users.getUserById("admin").__of__(app.acl_users))
site = addPloneSite(app, "Plone", title=told["site"], setup_content=False, default_language=told["language"], extension_ids=["plone.app.contenttypes:default", "plonetheme.barceloneta:default"])
setSite(site)
folders = [api.content.create(site, "Folder", id=f"section{i}", title=title) for i, title in enumerate(told["sections"])]
for folder in folders:
    api.content.transition(folder, "publish")
for one in told["pages"]:
    page = api.content.create(folders[one["section"]], one["kind"], id=one["name"], title=one["title"], description=one["teaser"], text=RichTextValue(one["html"], "text/html", "text/x-html-safe"), creators=(one["author"],))
    page.setSubject(one["tags"])
    api.content.transition(page, "publish")
    page.effective_date = page.creation_date = DateTime(one["date"])
    page.setModificationDate(DateTime(one["date"]))
    page.reindexObject(idxs=["effective", "Date", "created", "modified"])
from plone.registry.interfaces import IRegistry
api.portal.set_registry_record("plone.allow_anon_views_about", True)
api.portal.set_registry_record("plone.display_publication_date_in_byline", True)
transaction.commit()
"""


def plone(name: str, site: Path, tools: Path, language: str) -> None:
    told = Told(name, site, tools, language, "story", 40)
    work, visitor, python = told.work, told.visitor, tools / "plone/bin"
    run([python / "mkwsgiinstance", "-d", "inst", "-u", "admin:kilnkiln"], work)
    config = (work / "inst/etc/zope.ini").read_text()
    write(work / "inst/etc/zope.ini", config.replace("8080", str(PORT)))
    pages = [
        {
            "kind": "Document" if item.section == 4 else "News Item", "name": item.name, "section": item.section, "title": item.title, "teaser": item.teaser, "html": told.html(item.blocks, item),
            "author": item.author, "date": f"{item.date}T{item.time}:00", "tags": item.tags[:2], "place": told.stuff.prose.word(),
        }
        for item in told.items
    ]  # fmt: skip
    write(
        work / "pages.json",
        json.dumps({"site": "Kiln", "language": language, "sections": told.stuff.sections, "pages": pages}),
    )
    write(work / "fill.py", PLONE)
    run([python / "zconsole", "run", "inst/etc/zope.conf", "fill.py"], work)
    visitor.before = f"/VirtualHostBase/http/{visitor.host}:80/Plone/VirtualHostRoot"
    with serving([python / "runwsgi", "inst/etc/zope.ini"], work, wait=180):
        for item in told.items:
            told.page(item, f"/section{item.section}/{item.name}", **with_teaser(told, item))
        for i in range(len(told.stuff.sections)):
            told.toc(
                f"/section{i}", [(f"/section{i}/{item.name}", item.title) for item in told.items if item.section == i]
            )
        paths = {row["url"][len(told.base) :] for row in told.rows} | {
            "/",
            "/sitemap",
            "/contact-info",
            "/accessibility-info",
        }
        crawled(site, visitor, ["/"], lambda path: path in paths)
    tell(site, told.rows)


def with_teaser(told: Told, item: Item) -> dict[str, Any]:
    """The text of a page whose teaser stands above it."""
    row = told.truth.row(item, {})
    head, _, rest = row["markdown"].partition("\n")
    return {"text": f"{item.teaser}\n{row['text']}", "markdown": f"{head}\n\n{escaped(item.teaser)}\n{rest}"}


WAGTAIL = """
import os
SECRET_KEY = "x"; DEBUG = True; ALLOWED_HOSTS = ["*"]; SITE_ID = 1; ROOT_URLCONF = "urls"; STATIC_URL = "/static/"; USE_TZ = True; TIME_ZONE = "UTC"; LANGUAGE_CODE = "%LANG%"; USE_I18N = True
DEFAULT_AUTO_FIELD = "django.db.models.AutoField"; WAGTAIL_SITE_NAME = "Kiln"; WAGTAILADMIN_BASE_URL = "http://%HOST%"; MEDIA_ROOT = "media"; MEDIA_URL = "/media/"
from puput import PUPUT_APPS
INSTALLED_APPS = ["django.contrib.admin", "django.contrib.auth", "django.contrib.contenttypes", "django.contrib.sessions", "django.contrib.messages", "django.contrib.staticfiles", "django.contrib.sitemaps", "django.contrib.humanize", *PUPUT_APPS]
MIDDLEWARE = ["django.contrib.sessions.middleware.SessionMiddleware", "django.middleware.common.CommonMiddleware", "django.contrib.auth.middleware.AuthenticationMiddleware", "django.contrib.messages.middleware.MessageMiddleware", "wagtail.contrib.redirects.middleware.RedirectMiddleware"]
TEMPLATES = [{"BACKEND": "django.template.backends.django.DjangoTemplates", "APP_DIRS": True, "OPTIONS": {"context_processors": ["django.template.context_processors.debug", "django.template.context_processors.request", "django.contrib.auth.context_processors.auth", "django.contrib.messages.context_processors.messages"]}}]
DATABASES = {"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": "db.sqlite3"}}
"""
WAGTAIL_URLS = """
from django.urls import include, path
from wagtail import urls
from puput import urls as puput_urls
urlpatterns = [path("", include(puput_urls)), path("", include(urls))]
"""
PUPUT = """
import json
import django
django.setup()
from datetime import datetime, timezone
from django.contrib.auth.models import User
from puput.models import BlogPage, Category, CategoryEntryPage, EntryPage
from wagtail.models import Page, Site
told = json.load(open("pages.json"))
root = Page.objects.get(depth=1)
blog = BlogPage(title="Kiln", slug="blog", description=told["about"], num_entries_page=10)
root.add_child(instance=blog)
Site.objects.all().delete()
Site.objects.create(hostname=told["host"], port=80, root_page=blog, is_default_site=True)
people = {}
for one in told["pages"]:
    who = one["author"]
    if who not in people:
        people[who] = User.objects.create(username=f"p{len(people)}", first_name=who.split()[0], last_name=" ".join(who.split()[1:]))
    when = datetime.fromisoformat(one["date"]).replace(tzinfo=timezone.utc)
    page = EntryPage(title=one["title"], slug=one["name"], body=one["html"], excerpt=one["teaser"], owner=people[who], date=when, first_published_at=when)
    blog.add_child(instance=page)
    name = told["sections"][one["section"]]
    category, _ = Category.objects.get_or_create(name=name, defaults={"slug": f"section{one['section']}"})
    CategoryEntryPage.objects.create(category=category, page=page)
    page.tags.add(*one["tags"])
    page.save()
"""


def told_pages(told: Told) -> list[dict[str, Any]]:
    return [
        {
            "name": item.name, "section": item.section, "title": item.title, "teaser": item.teaser, "html": told.html(item.blocks, item), "author": item.author,
            "date": f"{item.date}T{item.time}:00", "tags": item.tags[:2], "place": told.stuff.prose.word(),
        }
        for item in told.items
    ]  # fmt: skip


def puput(name: str, site: Path, tools: Path, language: str) -> None:
    told = Told(name, site, tools, language, "blog", 36)
    work, visitor = told.work, told.visitor
    write(work / "settings.py", WAGTAIL.replace("%LANG%", language).replace("%HOST%", visitor.host))
    write(work / "urls.py", WAGTAIL_URLS)
    write(
        work / "pages.json",
        json.dumps(
            {
                "host": visitor.host,
                "about": told.stuff.prose.sentence(),
                "sections": told.stuff.sections,
                "pages": told_pages(told),
            }
        ),
    )
    write(work / "fill.py", PUPUT)
    python: list[str | Path] = [
        "env",
        "DJANGO_SETTINGS_MODULE=settings",
        f"PYTHONPATH={work}",
        tools / "wagtail/bin/python",
    ]
    run([*python, "-m", "django", "migrate"], work)
    run([*python, "fill.py"], work)
    with serving([*python, "-m", "django", "runserver", "--noreload", f"127.0.0.1:{PORT}"], work):
        for item in told.items:
            told.page(item, f"/{item.date.replace('-', '/')}/{item.name}/")
        newest = told.stuff.newest()
        lists = [
            ("/" if not at else f"/?page={at // 10 + 1}", newest[at : at + 10]) for at in range(0, len(newest), 10)
        ]
        lists += [
            (f"/category/section{i}/", [item for item in newest if item.section == i])
            for i in range(len(told.stuff.sections))
        ]
        for path, items in lists:
            told.toc(path, [(f"/{item.date.replace('-', '/')}/{item.name}/", item.title) for item in items])
        paths = {row["url"][len(told.base) :] for row in told.rows}
        crawled(site, visitor, ["/"], lambda path: path in paths or path.startswith("/tag/"))
    tell(site, told.rows)


PRETALX = """
import datetime as dt
import json
from zoneinfo import ZoneInfo
import django
django.setup()
from django_scopes import scope, scopes_disabled
from pretalx.event.models import Event
from pretalx.event.utils import create_organiser_with_team
from pretalx.person.models import SpeakerProfile, User
from pretalx.schedule.models import Room
from pretalx.submission.models import Submission, SubmissionType, Track
told = json.load(open("pages.json"))
codes = {}
with scopes_disabled():
    admin = User.objects.create_user(name="Admin", email="admin@kiln.example", locale=told["language"])
    organiser, team = create_organiser_with_team(name="Kiln", slug="kilnorg", users=[admin])
    event = Event.objects.create(name="Kiln", slug="kiln", organiser=organiser, is_public=True, date_from=dt.date(2023, 5, 3), date_to=dt.date(2023, 5, 5), timezone="UTC", email="kiln@kiln.example", locale_array=told["language"], locale=told["language"], landing_page_text=told["about"])
with scope(event=event):
    event.build_initial_data()
    tracks = [Track.objects.create(event=event, name=name, color="#%02x4080" % (40 * i)) for i, name in enumerate(told["sections"])]
    rooms = [Room.objects.create(event=event, name=name, position=i) for i, name in enumerate(told["rooms"])]
    kind = event.submission_types.first()
    people = {}
    for i, one in enumerate(told["pages"]):
        who = one["author"]
        if who not in people:
            people[who] = User.objects.create_user(name=who, email=f"p{len(people)}@kiln.example", locale=told["language"])
            SpeakerProfile.objects.create(user=people[who], event=event, biography="")
        talk = Submission.objects.create(event=event, title=one["title"], submission_type=kind, track=tracks[one["section"]], abstract=one["teaser"], description=one["markdown"], content_locale=told["language"])
        talk.speakers.add(people[who])
        talk.accept(person=admin, force=True)
        talk.confirm(person=admin, force=True)
        codes[one["name"]] = talk.code
        slot = talk.slots.filter(schedule=event.wip_schedule).first()
        slot.room = rooms[i % 2]
        slot.start = dt.datetime(2023, 5, 3 + i // 14, 9 + i // 2 % 7, 0, tzinfo=ZoneInfo("UTC"))
        slot.end = slot.start + dt.timedelta(minutes=45)
        slot.save()
    event.release_schedule("1.0", user=admin)
json.dump(codes, open("codes.json", "w"))
"""
PRETALX_CONFIG = """
[filesystem]
data = %WORK%/data
[site]
debug = False
url = http://%HOST%
[database]
backend = sqlite3
name = %WORK%/db.sqlite3
[locale]
language_code = %LANG%
time_zone = UTC
"""


def pretalx(name: str, site: Path, tools: Path, language: str) -> None:
    told = Told(name, site, tools, language, "story", 40, ("img", "ext"))  # links go through a page of their own
    work, visitor = told.work, told.visitor
    write(
        work / "pretalx.cfg",
        PRETALX_CONFIG.replace("%WORK%", str(work)).replace("%HOST%", visitor.host).replace("%LANG%", language),
    )
    pages = [
        page | {"markdown": told.markdown(item.blocks, item)}
        for page, item in zip(told_pages(told), told.items, strict=True)
    ]
    write(
        work / "pages.json",
        json.dumps(
            {
                "language": language,
                "about": told.stuff.prose.text(3, 3),
                "sections": told.stuff.sections,
                "rooms": ["Harbour", "Orchard"],
                "pages": pages,
            }
        ),
    )
    write(work / "fill.py", PRETALX)
    write(
        work / "kiln_settings.py",
        'from pretalx.settings import *\nSTORAGES["staticfiles"]["BACKEND"] = "django.contrib.staticfiles.storage.StaticFilesStorage"\n',
    )
    python: list[str | Path] = [
        "env",
        f"PRETALX_CONFIG_FILE={work}/pretalx.cfg",
        "DJANGO_SETTINGS_MODULE=kiln_settings",
        f"PYTHONPATH={work}",
        tools / "pretalx/bin/python",
    ]
    run([*python, "-m", "django", "migrate"], work)
    run([*python, "fill.py"], work)
    codes = json.loads((work / "codes.json").read_text())
    with serving([*python, "-m", "django", "runserver", "--noreload", f"127.0.0.1:{PORT}"], work):
        for item in told.items:
            told.page(item, f"/kiln/talk/{codes[item.name]}/", date=None, **with_teaser(told, item))
        told.toc("/kiln/schedule/nojs", [(f"/kiln/talk/{codes[item.name]}/", item.title) for item in told.items])
        crawled(
            site,
            visitor,
            ["/kiln/", "/kiln/schedule/nojs", "/kiln/speaker/"],
            lambda path: bool(re.fullmatch(r"/kiln/((talk|speaker)/(\w+/)?|cfp)?", path)),
        )
    tell(site, told.rows)
