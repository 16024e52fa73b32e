"""Trackers of issues: Trac and Roundup."""

from __future__ import annotations

import json
import sqlite3
import unicodedata
from pathlib import Path

from files import run, write
from served import PORT, crawled, serving, tell
from telling import Told

TRAC = """
import json, sys
from datetime import datetime, timezone
from trac.env import open_environment
from trac.ticket.model import Ticket
env = open_environment("env")
def when(day):
    return datetime.fromisoformat(day).replace(tzinfo=timezone.utc)
with env.db_transaction as db:
    db("DELETE FROM ticket")
for one in json.load(open("issues.json")):
    first, *rest = one["said"]
    ticket = Ticket(env)
    ticket.populate({"reporter": first[0], "summary": one["title"], "description": first[2], "type": one["type"], "component": "component1", "priority": "major", "milestone": "milestone1", "status": "new", "keywords": one["tag"]})
    ticket.insert(when(first[1]))
    for who, day, text in rest:
        ticket.save_changes(who, text, when(day))
"""


def told_issues(told: Told) -> str:
    issues = []
    for i, item in enumerate(told.items):
        said = [(one.author, f"{one.date}T{one.time}:00", told.markdown(one.blocks).strip()) for one in item.said]
        issues.append(
            {"title": item.title, "said": said, "type": ("defect", "enhancement", "task")[i % 3], "tag": item.tags[0]}
        )
    return json.dumps(issues)


def trac(name: str, site: Path, tools: Path, language: str) -> None:
    told = Told(name, site, tools, language, "thread", 40, ("img", "ul", "ol", "code"))
    work, visitor, python = told.work, told.visitor, tools / "trackers/bin"
    run([python / "trac-admin", "env", "initenv", "Kiln", "sqlite:db/trac.db"], work)
    told.plain_marks()
    write(work / "issues.json", told_issues(told))
    write(work / "fill.py", TRAC)
    run([python / "python", "fill.py"], work)
    with serving([python / "tracd", "--port", PORT, "--hostname", "127.0.0.1", "--single-env", "env"], work):
        for i, item in enumerate(told.items, 1):
            told.thread(item, f"/ticket/{i}", markdown=None)
        entries = [(f"/ticket/{i}", item.title) for i, item in enumerate(told.items, 1)]
        told.toc("/report/1", entries)
        paths = {path for path, _ in entries} | {
            "/report",
            "/report/1",
            "/wiki",
            "/roadmap",
            "/wiki/WikiFormatting",
            "/wiki/TracGuide",
            "/wiki/TracTickets",
            "/wiki/TracWiki",
        }
        crawled(site, visitor, ["/wiki", "/report/1"], lambda path: path in paths)
    tell(site, told.rows)


ROUNDUP = """
import json
from roundup import date, instance
tracker = instance.open("home")
db = tracker.open("admin")
people = {}
for one in json.load(open("issues.json")):
    messages = []
    for who, day, text in one["said"]:
        if who not in people:
            people[who] = db.user.create(username=who, realname=who, address=f"p{len(people)}@kiln.example", roles="User")
        db.setCurrentUser(who)
        messages.append(db.msg.create(author=people[who], date=date.Date(day.replace("T", ".")), summary=text[:40], content=text))
    db.setCurrentUser(one["said"][0][0])
    db.issue.create(title=one["title"], messages=messages, status=db.status.lookup("unread"), priority=db.priority.lookup("bug"))
    db.commit()
db.close()
"""
ROUNDUP_SERVER = """
import sys
from wsgiref.simple_server import make_server
from roundup.cgi.wsgi_handler import RequestDispatcher
make_server("127.0.0.1", int(sys.argv[1]), RequestDispatcher("home")).serve_forever()
"""


def roundup(name: str, site: Path, tools: Path, language: str) -> None:
    told = Told(name, site, tools, language, "thread", 36, ("img", "ul", "ol", "code"))
    for item in told.items:
        for said in item.said:  # who logs in by a name of plain letters is called so everywhere
            said.author = (
                unicodedata.normalize("NFKD", said.author.replace("ß", "ss"))
                .encode("ascii", "ignore")
                .decode()
                .replace(" ", "")
            )
    work, visitor, python = told.work, told.visitor, tools / "trackers/bin"
    run([python / "roundup-admin", "-i", "home", "install", "classic", "sqlite"], work)
    told.plain_marks()
    config = (work / "home/config.ini").read_text()
    for key, value in (
        ("web", f"{told.base}/"),
        ("domain", f"{name}.example"),
        ("language", language),
        ("host", "localhost"),
    ):
        config = (
            config.replace(f"\n{key} = NO DEFAULT", f"\n{key} = {value}")
            .replace(f"\n#{key} = NO DEFAULT", f"\n{key} = {value}")
            .replace(f"\n{key} = \n", f"\n{key} = {value}\n")
        )
    write(work / "home/config.ini", config)
    run([python / "roundup-admin", "-i", "home", "initialise", "kiln"], work)
    write(work / "issues.json", told_issues(told))
    write(work / "fill.py", ROUNDUP)
    (work / "home/detectors/nosyreaction.py").unlink()  # which sends letters
    run([python / "python", "fill.py"], work)
    with sqlite3.connect(work / "home/db/db") as base:
        for i, item in enumerate(told.items, 1):
            days = [
                f"{said.date}{said.time}00.000".replace("-", "").replace(":", "")
                for said in (item.said[0], item.said[-1])
            ]
            base.execute("UPDATE _issue SET _creation=?, _activity=? WHERE id=?", (*days, i))
    with serving([python / "python", "-c", ROUNDUP_SERVER, PORT], work):
        for i, item in enumerate(told.items, 1):
            told.thread(item, f"/issue{i}", markdown=None, title=None)  # which has its number before it
        told.toc("/", [(f"/issue{i}", item.title) for i, item in enumerate(told.items, 1)])
        paths = (
            {row["url"][len(told.base) :] for row in told.rows}
            | {f"/user{i}" for i in range(3, 12)}
            | {f"/msg{i}" for i in range(1, 30)}
        )
        crawled(site, visitor, ["/"], lambda path: path in paths)
    tell(site, told.rows)


ASKBOT = """
import json, os
from datetime import datetime, timezone
os.environ["DJANGO_SETTINGS_MODULE"] = "kiln.settings"
import django
django.setup()
from askbot.models import User
from askbot import const
from django.utils import translation
translation.activate("%LANG%")
from askbot.conf import settings
settings.update("APP_URL", "http://%HOST%")
people, paths = {}, []
for one in json.load(open("../issues.json")):
    first, *rest = one["said"]
    for who, _, _ in one["said"]:
        if who not in people:
            people[who] = User.objects.create_user(who, f"p{len(people)}@kiln.example", "kilnkiln")
            people[who].askbot_profile.reputation = 5000
            people[who].askbot_profile.save()
            people[who] = User.objects.get(pk=people[who].pk)
    def when(day):
        return datetime.fromisoformat(day).replace(tzinfo=timezone.utc)
    question = people[first[0]].post_question(title=one["title"], body_text=first[2], tags=one["tag"].replace(" ", "-"), timestamp=when(first[1]))
    last = question
    for k, (who, day, text) in enumerate(rest):
        if who == first[0] or k % 3 == 2:
            people[who].post_comment(parent_post=last, body_text=text, timestamp=when(day))
        else:
            last = people[who].post_answer(question=question, body_text=text, timestamp=when(day))
    paths.append(question.get_absolute_url())
json.dump(paths, open("../paths.json", "w"))
"""


def askbot(name: str, site: Path, tools: Path, language: str) -> None:
    told = Told(name, site, tools, language, "thread", 34)
    work, visitor, python = told.work, told.visitor, tools / "askbot/bin"
    for item in told.items:  # nobody answers twice; Askbot refuses that
        seen: set[str] = set()
        item.said = [said for said in item.said if said.author not in seen and not seen.add(said.author)]
    given = {
        "root-directory": work / "kilnroot", "proj-name": "kiln", "db-engine": "sqlite", "db-name": work / "db.sqlite", "admin-name": "Admin", "admin-email": "a@kiln.example", "domain-name": visitor.host,
        "language-code": language, "email-backend": "django.core.mail.backends.dummy.EmailBackend", "log-file-path": "ask.log", "append-settings": "DEBUG = True; CELERY_TASK_ALWAYS_EAGER = True; ALLOWED_HOSTS = ['*']",
    }  # fmt: skip
    run([python / "askbot-setup", "--noinput", "--force", *(f"--{key}={value}" for key, value in given.items())], work)
    root = work / "kilnroot"
    run([python / "python", "manage.py", "migrate"], root)
    write(work / "issues.json", told_issues(told))
    write(root / "fill.py", ASKBOT.replace("%LANG%", language).replace("%HOST%", visitor.host))
    run([python / "python", "fill.py"], root)
    paths = json.loads((work / "paths.json").read_text())
    with serving([python / "python", "manage.py", "runserver", "--noreload", f"127.0.0.1:{PORT}"], root):
        for item, path in zip(told.items, paths, strict=True):
            told.thread(item, path)
        newest = "/questions/scope:all/sort:activity-desc/page:{}/"
        for at, path in enumerate(("/questions/", newest.format(2), newest.format(3))):
            listed = visitor.ask(newest.format(at + 1))[1]
            told.toc(
                path, [(to, item.title) for item, to in zip(told.items, paths, strict=True) if f'"{to}"' in listed]
            )
        known = {row["url"][len(told.base) :] for row in told.rows}
        crawled(site, visitor, ["/questions/", newest.format(2), newest.format(3), *paths], lambda path: path in known)
    tell(site, [row for row in told.rows if row["role"] != "toc" or row["entries"]])
