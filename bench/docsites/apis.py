"""API references: modules with documented functions, as each tool reads them. The truth is what the comments say and the names and parameters."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from files import run, write
from pages import NAMES, Manual
from writers import Address

TOOLS = ("pdoc", "pdoc3", "pydoctor", "autodoc", "doxygen", "javadoc", "rustdoc", "jsdoc")
N_MODULES, N_FUNCTIONS = 18, 6


def modules(manual: Manual) -> list[dict[str, Any]]:
    prose, rng = manual.prose, manual.rng
    out = []
    for name in rng.sample([f"{a}{b}" for a in NAMES for b in NAMES if a != b], N_MODULES):
        functions = []
        for verb in rng.sample(NAMES, N_FUNCTIONS):
            params = rng.sample([n for n in NAMES if n != verb], 2)
            functions.append(
                {
                    "name": f"{verb}_{name}",
                    "text": [prose.text(1, 2), prose.text(1, 3)],
                    "params": [(p, prose.sentence()) for p in params],
                    "returns": prose.sentence(),
                }
            )
        out.append(
            {"name": name, "title": prose.title(), "text": [prose.text(2, 3), prose.text(1, 3)], "functions": functions}
        )
    return out


def python(module: dict[str, Any]) -> str:
    out = ['"""' + module["title"] + ".\n\n" + "\n\n".join(module["text"]) + '\n"""\n']
    for f in module["functions"]:
        fields = [f":param {p}: {said}" for p, said in f["params"]] + [f":returns: {f['returns']}"]
        out.append(
            f'def {f["name"]}({f["params"][0][0]}, {f["params"][1][0]}=7):\n    """'
            + "\n\n    ".join([*f["text"], "\n    ".join(fields)])
            + '\n    """\n    return 7\n'
        )
    return "\n\n".join(out)


def commented(module: dict[str, Any], tool: str) -> str:
    sign, param = {
        "javadoc": (" * ", "@param {} {}"),
        "jsdoc": (" * ", "@param {{number}} {} - {}"),
        "doxygen": (" * ", "@param {} {}"),
        "rustdoc": ("/// ", "* `{}` - {}"),
    }[tool]

    def comment(lines: list[str], sign: str = sign) -> str:
        body = "\n".join((sign + line).rstrip() for line in lines)
        return body if tool == "rustdoc" else f"/**\n{body}\n */"

    out = []
    for f in module["functions"]:
        lines = [f["text"][0], "", f["text"][1], ""] + [param.format(p, said) for p, said in f["params"]]
        lines += (
            ["", f["returns"]]
            if tool == "rustdoc"
            else [f"{'@returns {number}' if tool == 'jsdoc' else '@return'} {f['returns']}"]
        )
        a, b = (p for p, _ in f["params"])
        code = {
            "javadoc": f"public static int {f['name']}(int {a}, int {b}) {{ return 7; }}", "jsdoc": f"exports.{f['name']} = function {f['name']}({a}, {b}) {{ return 7; }};",
            "doxygen": f"int {f['name']}(int {a}, int {b});", "rustdoc": f"pub fn {f['name']}({a}: i32, {b}: i32) -> i32 {{ 7 }}",
        }[tool]  # fmt: skip
        out.append(comment(lines) + "\n" + code)
    texts = [module["title"] + ".", "", *module["text"][:1], "", *module["text"][1:]]
    if tool == "rustdoc":
        return "\n".join(("//! " + line).rstrip() for line in texts) + "\n\n" + "\n\n".join(out)
    head = {"javadoc": [], "jsdoc": [f"@module {module['name']}"], "doxygen": ["@file"]}[tool]
    if tool == "javadoc":
        name = module["name"].title()
        return (
            "package kiln;\n"
            + comment(texts)
            + f"\npublic class {name} {{\nprivate {name}() {{}}\n"
            + "\n\n".join(out)
            + "\n}\n"
        )
    return comment([*texts, *head]) + "\n\n" + "\n\n".join(out)


def api(manual: Manual, work: Path, tools: Path, name: str, tool: str) -> tuple[Path, Address]:
    found = modules(manual)
    python_like = tool in ("pdoc", "pdoc3", "pydoctor", "autodoc")
    for module in found:
        n = module["name"]
        path = {
            "doxygen": f"kiln/{n}.h",
            "javadoc": f"kiln/{n.title()}.java",
            "rustdoc": f"src/{n}.rs",
            "jsdoc": f"kiln/{n}.js",
        }.get(tool, f"kiln/{n}.py")
        write(work / path, python(module) if python_like else commented(module, tool))
    if python_like:
        write(work / "kiln/__init__.py", '"""Everything about kilns."""\n')
    bin_ = tools / "venv/bin"
    if tool == "pdoc":
        run([bin_ / "python", "-m", "pdoc", "--no-show-source", "-d", "restructuredtext", "kiln", "-o", "out"], work)
        address = "kiln/{}.html"
    elif tool == "pdoc3":
        run(
            [
                tools / "venvpdoc3/bin/python",
                "-m",
                "pdoc",
                "--html",
                "-c",
                "show_source_code=False",
                "-o",
                "out",
                "kiln",
            ],
            work,
        )
        address = "kiln/{}.html"
    elif tool == "pydoctor":
        run([bin_ / "python", "-m", "pydoctor", "--docformat=restructuredtext", "--html-output=out", "kiln"], work)
        address = "kiln.{}.html"
    elif tool == "autodoc":
        names = "\n".join(f"   {m['name']}" for m in found)
        write(work / "index.rst", f"Kiln\n====\n\n.. toctree::\n\n{names}\n")
        for module in found:
            write(
                work / f"{module['name']}.rst",
                f"{module['name']}\n{'=' * 30}\n\n.. automodule:: kiln.{module['name']}\n   :members:\n   :undoc-members:\n",
            )
        write(
            work / "conf.py",
            "import sys; sys.path.insert(0, '.')\nproject='Kiln'\nextensions=['sphinx.ext.autodoc','sphinx.ext.viewcode']\nhtml_theme='sphinx_rtd_theme'\n",
        )
        run([bin_ / "python", "-m", "sphinx", "-q", "-b", "html", ".", "out"], work)
        address = "{}.html"
    elif tool == "doxygen":
        write(
            work / "Doxyfile",
            "PROJECT_NAME=Kiln\nINPUT=kiln\nGENERATE_LATEX=NO\nJAVADOC_AUTOBRIEF=YES\nOUTPUT_DIRECTORY=.\nHTML_OUTPUT=out\n",
        )
        run(["doxygen"], work)
        address = "{}_8h.html"
    elif tool == "javadoc":
        run(["javadoc", "-quiet", "-d", "out", *sorted((work / "kiln").glob("*.java"))], work)
        address = "kiln/{}.html"
    elif tool == "rustdoc":
        write(work / "src/lib.rs", "//! Everything about kilns.\n" + "\n".join(f"pub mod {m['name']};" for m in found))
        run(["rustdoc", "src/lib.rs", "--crate-name", "kiln", "-o", "out"], work)
        address = "kiln/{}/index.html"
    else:
        run([tools / "npm/jsdoc/node_modules/.bin/jsdoc", "-d", "out", "kiln"], work)
        address = "module-{}.html"
    manual.truths = [
        truth(
            f"https://{name}.example/" + address.format(m["name"].title() if tool == "javadoc" else m["name"]), m, tool
        )
        for m in found
    ]
    return work / "out", lambda page: page


def truth(url: str, module: dict[str, Any], tool: str) -> dict[str, Any]:
    lines = [module["title"] + ".", *module["text"]]
    for f in module["functions"]:
        lines += [
            f"{f['name']}({', '.join(p for p, _ in f['params'])})",
            *f["text"],
            *(f"{p} {said}" for p, said in f["params"]),
            f["returns"],
        ]
    if tool == "rustdoc":  # a list of functions, each with a page of its own
        return {"url": url, "role": "toc"}
    return {"url": url, "role": "article", "text": "\n".join(lines), "author": "", "date": ""}
