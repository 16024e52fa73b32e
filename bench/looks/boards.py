"""Boards, mailing lists and trackers: Fossil, public-inbox, HyperKitty, FlaskBB, Trac and Roundup."""

from __future__ import annotations

import email.utils
import html
import mailbox
import os
import re
import sqlite3
import subprocess
from datetime import datetime
from email.message import EmailMessage
from pathlib import Path

from files import run, write
from served import PORT, Visitor, crawled, serving, tell
from stuff import Item
from telling import Told, as_post


def fossil(name: str, site: Path, tools: Path, language: str) -> None:
    """A forum; days are set afterwards, for Fossil knows only today."""
    told = Told(name, site, tools, language, "thread", 30)
    work, visitor = told.work, told.visitor
    run(["fossil", "init", "x.fossil", "--admin-user", "admin"], work)
    run(["fossil", "user", "capabilities", "nobody", "hoj234", "-R", "x.fossil"], work)
    run(["fossil", "user", "capabilities", "admin", "s", "-R", "x.fossil"], work)
    for i, who in enumerate(told.stuff.names):
        run(["fossil", "user", "new", who, who, f"pw{i}", "-R", "x.fossil"], work)
        run(["fossil", "user", "capabilities", who, "hoj234", "-R", "x.fossil"], work)
    serve = ["fossil", "server", "--port", PORT, "--nossl", "x.fossil"]
    posted, people = [], {}
    with serving(serve, work):
        for i, who in enumerate(told.stuff.names):
            people[who] = Visitor(visitor.host)
            people[who].ask("/login", {"u": who, "p": f"pw{i}", "in": "Login"})
        for item in told.items:
            ids: list[str] = []
            for said in item.said:
                fields = {"mimetype": "text/x-markdown", "content": told.markdown(said.blocks), "submit": "Submit"}
                fields |= {"fpid": ids[0], "reply": "1"} if ids else {"title": item.title}
                _, _, moved = people[said.author].ask("/forume2" if ids else "/forume1", fields)
                ids.append(moved.rpartition("/")[2])
                posted.append((ids[-1], said))
    with sqlite3.connect(work / "x.fossil") as base:
        for post, said in posted:
            day = f"julianday('{said.date} {said.time}')"
            (row,) = base.execute("SELECT rid FROM blob WHERE uuid LIKE ?", (post + "%",)).fetchone()
            base.execute(f"UPDATE event SET mtime={day}, omtime={day} WHERE objid=?", (row,))
            base.execute(f"UPDATE forumpost SET fmtime={day} WHERE fpid=?", (row,))
    with serving(serve, work):
        found = {
            title: path
            for path, title in re.findall(r'<a href="(/forumpost/\w+)"> *([^<]+)</a>', visitor.ask("/forum?n=99")[1])
        }
        paths = {
            item.title: found[html.escape(item.title)] for item in told.items
        }  # the list leads to the last post, which shows the whole thread
        for item in told.items:
            told.thread(item, paths[item.title])
        newest = sorted(told.items, key=lambda item: (item.said[-1].date, item.said[-1].time), reverse=True)
        for path, part in (("/forum", newest[:25]), ("/forum?x=25&n=25", newest[25:])):
            told.toc(path, [(paths[item.title], item.title) for item in part])
        crawled(
            site,
            visitor,
            ["/forum"],
            lambda path: path in paths.values() or path in ("/wiki", "/timeline", "/forum?x=25&n=25"),
        )
    tell(site, told.rows)


def letters(told: Told) -> list[tuple[Item, int, str, str]]:
    """All letters of a list as (thread, number in it, name of the letter, letter), the oldest first."""
    out = []
    for item in told.items:
        before = ""
        for k, said in enumerate(item.said):
            letter = EmailMessage()
            letter["From"] = email.utils.formataddr(
                (said.author, f"p{told.stuff.names.index(said.author)}@{told.name}.example")
            )
            letter["To"] = f"kiln@{told.name}.example"
            letter["Subject"] = ("Re: " if k else "") + item.title
            letter["Date"] = email.utils.format_datetime(datetime.fromisoformat(f"{said.date}T{said.time}:00+00:00"))
            name = f"{item.name}-{k}@{told.name}.example"
            letter["Message-ID"] = f"<{name}>"
            if before:
                letter["In-Reply-To"] = letter["References"] = f"<{before}>"
            letter.set_content("\n\n".join(map(told.plain, said.blocks)) + "\n", cte="8bit")
            out.append((said.date + said.time, (item, k, name, letter.as_bytes().decode())))
            before = before or name
    return [one for _, one in sorted(out, key=lambda one: one[0])]


def public_inbox(name: str, site: Path, tools: Path, language: str) -> None:
    told = Told(name, site, tools, language, "thread", 24)
    work, visitor = told.work, told.visitor
    env = {"HOME": str(work), "PI_CONFIG": str(work / "config"), "GIT_CONFIG_GLOBAL": str(work / "git")}
    run(
        [
            "env",
            *(f"{key}={value}" for key, value in env.items()),
            "public-inbox-init",
            "-V2",
            "kiln",
            work / "kiln",
            f"{told.base}/kiln",
            f"kiln@{told.name}.example",
        ],
        work,
    )
    with (work / "config").open("a") as config:
        config.write("[publicinboxmda]\n\tspamcheck = none\n")
    for _, _, _, letter in letters(told):
        subprocess.run(
            ["public-inbox-mda", "--no-precheck"],
            input=letter.encode(),
            env=os.environ
            | env
            | {"ORIGINAL_RECIPIENT": f"kiln@{told.name}.example", "PI_EMERGENCY": str(work / "lost")},
            check=True,
            cwd=work,
        )
    with serving(["public-inbox-httpd", "-l", f"127.0.0.1:{PORT}"], work, env):
        for item in told.items:
            names = [f"{item.name}-{k}@{told.name}.example" for k in range(len(item.said))]
            told.thread(item, f"/kiln/{names[-1]}/T/", markdown=None)
            for letter, said in zip(names, item.said, strict=True):
                told.rows.append(
                    as_post(said) | {"url": f"{told.base}/kiln/{letter}/", "role": "article", "title": item.title}
                )
        paths = {row["url"][len(told.base) :] for row in told.rows}
        newest = sorted(told.items, key=lambda item: (item.said[-1].date, item.said[-1].time), reverse=True)
        told.toc(
            "/kiln/",
            [(f"/kiln/{item.name}-{len(item.said) - 1}@{told.name}.example/T/", item.title) for item in newest],
        )
        crawled(site, visitor, ["/kiln/"], lambda path: path in paths)
    tell(site, told.rows)


HYPERKITTY = """
import os
SECRET_KEY = "x"; DEBUG = True; ALLOWED_HOSTS = ["*"]; SITE_ID = 1; ROOT_URLCONF = "urls"; STATIC_URL = "/static/"; STATIC_ROOT = "static"; USE_TZ = True; TIME_ZONE = "UTC"
INSTALLED_APPS = ["hyperkitty", "rest_framework", "django_gravatar", "compressor", "haystack", "django_extensions", "django_q", "django_mailman3", "allauth", "allauth.account", "allauth.socialaccount", "django.contrib.auth", "django.contrib.contenttypes", "django.contrib.sessions", "django.contrib.sites", "django.contrib.messages", "django.contrib.staticfiles", "django.contrib.humanize"]
MIDDLEWARE = ["django.contrib.sessions.middleware.SessionMiddleware", "django.middleware.locale.LocaleMiddleware", "django.middleware.common.CommonMiddleware", "django.contrib.auth.middleware.AuthenticationMiddleware", "django.contrib.messages.middleware.MessageMiddleware", "allauth.account.middleware.AccountMiddleware", "django_mailman3.middleware.TimezoneMiddleware"]
TEMPLATES = [{"BACKEND": "django.template.backends.django.DjangoTemplates", "APP_DIRS": True, "OPTIONS": {"context_processors": ["django.template.context_processors.debug", "django.template.context_processors.i18n", "django.template.context_processors.media", "django.template.context_processors.static", "django.template.context_processors.tz", "django.template.context_processors.csrf", "django.template.context_processors.request", "django.contrib.auth.context_processors.auth", "django.contrib.messages.context_processors.messages", "django_mailman3.context_processors.common", "hyperkitty.context_processors.common"]}}]
DATABASES = {"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": "db.sqlite3"}}
HAYSTACK_CONNECTIONS = {"default": {"ENGINE": "haystack.backends.simple_backend.SimpleEngine"}}
COMPRESS_PRECOMPILERS = (("text/x-scss", "cat {infile}"), ("text/x-sass", "cat {infile}")); COMPRESS_ENABLED = False; COMPRESS_OFFLINE = False
STATICFILES_FINDERS = ("django.contrib.staticfiles.finders.FileSystemFinder", "django.contrib.staticfiles.finders.AppDirectoriesFinder", "compressor.finders.CompressorFinder")
MAILMAN_REST_API_URL = "http://127.0.0.1:9"; MAILMAN_REST_API_USER = MAILMAN_REST_API_PASS = "x"; MAILMAN_ARCHIVER_KEY = "x"; MAILMAN_ARCHIVER_FROM = (); FILTER_VHOST = False
Q_CLUSTER = {"sync": True, "orm": "default"}; LOGIN_URL = "account_login"; POSTORIUS_TEMPLATE_BASE_URL = ""; LANGUAGE_CODE = "%LANG%"; DEFAULT_AUTO_FIELD = "django.db.models.AutoField"
CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}
"""
HYPERKITTY_URLS = """
from django.urls import include, path
urlpatterns = [path("hyperkitty/", include("hyperkitty.urls")), path("m3/", include("django_mailman3.urls")), path("accounts/", include("allauth.urls"))]
"""


def hyperkitty(name: str, site: Path, tools: Path, language: str) -> None:
    told = Told(name, site, tools, language, "thread", 30, months=6)
    told.visitor.agent = "Mozilla/5.0 (compatible; Googlebot/2.1)"  # who takes no scripts gets all posts at once
    work, visitor, python = told.work, told.visitor, tools / "hyperkitty/bin/python"
    write(work / "settings.py", HYPERKITTY.replace("%LANG%", language))
    write(work / "urls.py", HYPERKITTY_URLS)
    box = mailbox.mbox(work / "list.mbox")
    for _, _, _, letter in letters(told):
        box.add(letter.encode())
    box.close()
    manage: list[str | Path] = ["env", "DJANGO_SETTINGS_MODULE=settings", f"PYTHONPATH={work}", python, "-m", "django"]
    run([*manage, "migrate"], work)
    run([*manage, "hyperkitty_import", "--no-sync-mailman", "-l", f"kiln@{name}.example", "list.mbox"], work)
    with serving([*manage, "runserver", "--noreload", f"127.0.0.1:{PORT}"], work):
        lists = f"/hyperkitty/list/kiln@{name}.example/"
        found: dict[str, str] = {}
        months = {f"{lists}{item.said[-1].date[:4]}/{int(item.said[-1].date[5:7])}/" for item in told.items}
        for page in months:
            link = re.compile(r'href="(/hyperkitty/list/[^"]*/thread/\w+/)[^>]*>(.*?)</a>', re.DOTALL)
            for path, title in link.findall(visitor.ask(page)[1]):
                if title.strip():
                    found[html.unescape(re.sub("<[^>]*>", "", title)).strip()] = path
        for page in months:
            here = [
                item
                for item in told.items
                if page == f"{lists}{item.said[-1].date[:4]}/{int(item.said[-1].date[5:7])}/"
            ]
            told.toc(page, [(found[item.title], item.title) for item in here])
        for item in told.items:
            told.thread(item, found[item.title], markdown=None)
        paths = {row["url"][len(told.base) :] for row in told.rows}
        crawled(site, visitor, [lists, lists + "latest"], lambda path: path.replace("%40", "@") in paths)
    tell(site, told.rows)
