// The Page view: the page with its blocks painted, and its clean text, side by side.
//
// What comes from the page is shown in one frame with an empty `sandbox`: no script, form, plug-in or pop-up, an
// origin of its own, and a policy that forbids every request. So this script cannot look into the frame and the frame
// cannot speak to it: all that answers in there (information on hover, a click that scrolls the other side) is made of
// links to fragments, :target and :hover.
"use strict";

const FRAME_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action";
const RIGHT_TO_LEFT = new Set(["ar", "arc", "ckb", "dv", "fa", "he", "iw", "ps", "sd", "syr", "ug", "ur", "yi"]);
const FACTS = {
  entropy: (v) => `entropy ${v.toFixed(2)}`, site_same: (v) => `same text on ${percent(v)} of pages`, path_distinct: (v) => `${percent(v)} of the texts at its place differ`,
  path_pages: (v) => `its place is on ${percent(v)} of pages`, words: (v) => plural(Math.round(v), "word"), link_density: (v) => (v > 0.05 ? `${percent(v)} links` : ""),
  site_masked: () => "", n_pages: (v) => `on ${plural(v, "page")}`,
};
const FRAME_STYLE = `
:root{--ink:#20211f;--paper:#fff;--soft:#6d6a62;--line:#e2ded5;--side:#faf8f4;--kept:#12806a;--drop:#b5502f;--comments:#8a4bbf;--related:#2f6fbf;--author:#a87b00;--posts:#1b8a9a;--list:#5a7a1c}
.dark{--ink:#e6e3dc;--paper:#181a1b;--soft:#9b978d;--line:#34363a;--side:#1f2224;--kept:#4cc5a7;--drop:#e58a68;--comments:#c194ee;--related:#7fb2f0;--author:#dcb245;--posts:#5fc9d8;--list:#a9c766;color-scheme:dark}
*{box-sizing:border-box}html,body{height:100%}body{margin:0;display:grid;grid-template-columns:minmax(0,1fr) minmax(0,1fr);color:var(--ink);background:var(--paper);font:15px/1.55 system-ui,"Segoe UI",Roboto,"Noto Sans","Noto Sans CJK SC",sans-serif}
.pane{overflow:auto;height:100vh;padding:14px 18px 90px;overflow-wrap:break-word;scroll-behavior:smooth}.pane+.pane{border-inline-start:1px solid var(--line);background:var(--side)}
.pane>h2:first-child{font-size:11px;letter-spacing:.08em;text-transform:uppercase;color:var(--soft);margin:0 0 12px;font-weight:600}
.page h1,.page h2,.page h3,.clean h1,.clean h2,.clean h3{line-height:1.25;margin:.6em 0 .4em}h1{font-size:1.5em}h2{font-size:1.25em}h3{font-size:1.1em}h4,h5,h6{font-size:1em;margin:.6em 0 .3em}p{margin:.45em 0}figure{margin:.5em 0}ul,ol{margin:.3em 0;padding-inline-start:1.5em}
table{border-collapse:collapse;max-width:100%}td,th{padding:2px 6px;vertical-align:top;text-align:start;border:1px dotted var(--line)}pre{overflow:auto;font-size:12.5px}.i{display:inline-block;font-size:11px;color:var(--soft);border:1px dashed var(--line);border-radius:3px;padding:1px 5px;min-width:18px;min-height:14px}u{text-decoration-color:color-mix(in srgb,currentColor 35%,transparent);text-underline-offset:2px}.i::before{content:attr(title)}hr{border:0;border-top:1px solid var(--line)}
.b,.t,#begin{scroll-margin-block:28vh}.b{--c:var(--drop);--edge:-3px;position:relative;border-radius:3px;box-shadow:inset 0 0 0 999px color-mix(in srgb,var(--c) 9%,transparent),var(--edge) 0 0 color-mix(in srgb,var(--c) 40%,transparent);margin-block:2px}
.b:dir(rtl){--edge:3px}.page .d{opacity:.72}.b.k{--c:var(--kept);box-shadow:inset 0 0 0 999px color-mix(in srgb,var(--c) 12%,transparent),var(--edge) 0 0 var(--c)}
.k-comments{--c:var(--comments)!important}.k-related{--c:var(--related)!important}.k-author{--c:var(--author)!important}.k-posts{--c:var(--posts)!important}.k-list{--c:var(--list)!important}
.x{outline:2px dashed var(--c);outline-offset:1px}
.t{--c:var(--kept);position:relative;border-radius:3px;padding-inline-start:2px}
.b:hover,.t:hover{outline:2px solid color-mix(in srgb,var(--c) 70%,transparent);outline-offset:1px;opacity:1}.b:focus-within,.t:focus-within,.b:target,.t:target{outline:2.5px solid var(--c);outline-offset:2px;opacity:1}
.go{position:absolute;inset:0;z-index:1;border-radius:3px}.go:focus{outline:none}
.b[data-w]:hover::after,.b[data-w]:target::after,.b[data-w]:focus-within::after,.t[data-w]:hover::after,.t[data-w]:focus-within::after{content:attr(data-w);position:fixed;z-index:9;inset-inline:0;bottom:0;padding:9px 16px 11px;white-space:pre-line;direction:ltr;text-align:left;font:12.5px/1.5 system-ui,sans-serif;font-weight:400;color:var(--ink);background:var(--paper);border-top:3px solid var(--c);box-shadow:0 -6px 24px rgb(0 0 0/.14);pointer-events:none;text-decoration:none}
.b:hover::after{z-index:10!important}.none{color:var(--soft)}
.labelling{grid-template-columns:1fr}.labelling .pane{padding-bottom:130px}.labelling .b{--c:var(--soft);opacity:.6}.labelling .pick{position:absolute;inset:0;z-index:2;cursor:pointer}.labelling .p{position:absolute;opacity:0;pointer-events:none}.labelling .b[data-w]:hover::after,.labelling .b[data-w]:target::after,.labelling .b[data-w]:focus-within::after{content:none}
.answer{position:fixed;inset-inline:0;bottom:0;z-index:20;display:flex;flex-wrap:wrap;gap:8px;align-items:center;padding:11px 16px;background:var(--paper);border-top:1px solid var(--line);direction:ltr}.answer span{color:var(--soft);font-size:13px;margin-inline-end:auto}.answer button{font:inherit;font-size:13.5px;color:var(--paper);background:var(--ink);border:0;border-radius:7px;padding:6px 13px;cursor:pointer}.answer button:focus-visible{outline:2.5px solid var(--kept);outline-offset:2px}
@media(max-width:760px){body{grid-template-columns:1fr;grid-template-rows:50vh 50vh}.pane{height:50vh;padding:10px 12px 70px}.pane+.pane{border-inline-start:0;border-top:1px solid var(--line)}}
@media(prefers-reduced-motion:reduce){.pane{scroll-behavior:auto}}`;

function blockInfo(data, b, kept, isShort) {
  const facts = Object.entries(data.facts).map(([name, values]) => (values[b] == null ? "" : FACTS[name] ? FACTS[name](values[b]) : `${name} ${values[b]}`)).filter(Boolean);
  const kind = data.kind[b], what = kept ? "kept" : `dropped${kind !== "template" && kind !== "content" ? `: ${KINDS[kind] || kind}` : ""}`;
  const differs = data.other && data.other[b] !== (kept ? 1 : 0) ? ` (the result ${data.other[b] ? "keeps" : "drops"} it)` : "";
  return `${what}${differs} · ${data.reason[b]}\n${facts.join(" · ")}${isShort ? "" : `\n${data.path[b]}`}`;
}

// Where something can be put into a part of a block: not between the cells of a table, not into what holds nothing.
function hostOf(el) {
  const host = el.matches("table,tbody,thead,tfoot,tr") ? el.querySelector("td,th,caption") : el;
  return host && !host.matches("br,hr") ? host : null;
}

const CHOSEN = "{--c:var(--kept)!important;opacity:1!important;box-shadow:inset 0 0 0 999px color-mix(in srgb,var(--c) 16%,transparent),var(--edge) 0 0 var(--c)!important}";

// While a page is labelled, every block is a box to tick, and the three answers send what is ticked: a form without any
// script, the only thing that this frame may do.
function labelForm(doc, parts, data, action) {
  const make = (tag, props, ...children) => { const el = doc.createElement(tag); for (const [k, v] of Object.entries(props)) el.setAttribute(k, v); el.append(...children); return el; };
  const seen = new Set(), rules = [];
  for (const el of parts) {
    const b = +el.dataset.b, host = hostOf(el);
    if (!host) continue;
    if (!seen.has(b)) {
      const box = make("input", { type: "checkbox", class: "p", id: `x${b}`, name: "b", value: b, form: "answer", "aria-label": el.textContent.trim().slice(0, 80) });
      if (data.kept[b]) box.setAttribute("checked", "");
      host.prepend(box);
      seen.add(b);
    } else rules.push(b);
    host.append(make("label", { class: "pick", for: `x${b}` }));
  }
  const style = doc.createElement("style");
  style.textContent = `.b:has(.p:checked)${CHOSEN}.b:has(.p:focus-visible){outline:2.5px solid var(--ink);outline-offset:2px}${[...new Set(rules)].map((b) => `body:has(#x${b}:checked) [data-b="${b}"]${CHOSEN}`).join("")}`;
  doc.head.append(style);
  doc.body.classList.add("labelling");
  doc.body.append(make("form", { id: "answer", class: "answer", method: "post", action }, make("span", {}, "Click blocks to add or remove them: what the page is about, or its list of links. Then say what it is:"),
    ...["article", "toc", "other"].map((kind) => make("button", { name: "kind", value: kind }, ROLE_NAMES[kind][0].toUpperCase() + ROLE_NAMES[kind].slice(1)))));
}

const isKept = (data, b, cut) => (cut == null ? data.kept[b] === 1 : data.score[b] >= cut);
const IN_TABLES = "table,tbody,thead,tfoot,tr,td,th,caption";

// The document of the frame. It is parsed in a document that runs nothing, painted there, and written out as text.
function compose(data, page, { cut = null, action = "" } = {}) {
  const doc = new DOMParser().parseFromString(`<!doctype html><body><section class="pane page"></section>`, "text/html");
  const pane = doc.querySelector("section");
  data.file.build(data.at, pane);
  const language = report.pages.language[page];
  if (language) doc.documentElement.lang = language;
  doc.documentElement.className = isDark() ? "dark" : "";
  doc.title = "A page";
  const meta = (name, value, content) => { const el = doc.createElement("meta"); el.setAttribute(name, value); el.setAttribute("content", content); return el; };
  const style = doc.createElement("style");
  style.textContent = FRAME_STYLE;
  const charset = doc.createElement("meta");
  charset.setAttribute("charset", "utf-8");
  doc.head.prepend(charset, meta("http-equiv", "Content-Security-Policy", `${FRAME_POLICY} ${action || "'none'"}`), meta("name", "referrer", "no-referrer"), style);
  const clean = doc.createElement("section");
  clean.className = "pane clean";
  pane.setAttribute("aria-label", "The page");
  clean.setAttribute("aria-label", "Clean text");
  pane.dir = clean.dir = RIGHT_TO_LEFT.has(language.split("-")[0]) ? "rtl" : "ltr";
  const title = (text) => { const el = doc.createElement("h2"); el.textContent = text; el.dir = "ltr"; return el; };
  const parts = [...pane.querySelectorAll("[data-b]")];
  clean.append(title("Clean text"));
  const shown = new Map();
  for (const el of parts) {
    const b = +el.dataset.b;
    if (isKept(data, b, cut)) clean.append(...cleanPart(doc, el, b, shown, data));
  }
  for (const el of parts) {
    const b = +el.dataset.b, kept = isKept(data, b, cut), kind = data.kind[b];
    el.className = `b ${kept ? "k" : "d"}${!kept && kind !== "template" && kind !== "content" ? ` k-${kind}` : ""}${data.other && data.other[b] !== (kept ? 1 : 0) ? " x" : ""}`;
    el.dataset.w = blockInfo(data, b, kept);
    if (!el.dir) el.dir = "auto";
    if (!doc.getElementById(`b${b}`)) el.id = `b${b}`;
    if (kept && !action) {
      const host = hostOf(el);
      if (host) host.append(goTo(doc, `#c${b}`, "Show in the clean text"));
    }
  }
  // A page opens where its content begins, and not at its menu.
  const first = parts.map(hostOf).find((el) => el && el.closest(".k"));
  if (first) { const begin = doc.createElement("span"); begin.id = "begin"; first.prepend(begin); }
  if (!shown.size) { const none = doc.createElement("p"); none.className = "none"; none.textContent = "Nothing of this page was kept."; clean.append(none); }
  pane.prepend(title("The page"));
  if (action) labelForm(doc, parts, data, action);
  else doc.body.append(clean);
  return `<!doctype html>${doc.documentElement.outerHTML}`;
}

// A document of its own for the frame. In a data: address links to fragments work, which browsers refuse to a sandboxed
// blob: or file:. They also refuse addresses of more than 2 MB: there, only the list of blocks scrolls the page.
const MAX_ADDRESS = 2_000_000;

function documentAddress(text) {
  const bytes = new TextEncoder().encode(text);
  if ((bytes.length * 4) / 3 > MAX_ADDRESS) return URL.createObjectURL(new Blob([bytes], { type: "text/html;charset=utf-8" }));
  let binary = "";
  for (let at = 0; at < bytes.length; at += 8192) binary += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return `data:text/html;charset=utf-8;base64,${btoa(binary)}`;
}

function goTo(doc, href, label) {
  const a = doc.createElement("a");
  a.className = "go";
  a.setAttribute("href", href);
  a.setAttribute("aria-label", label);
  return a;
}

// A part of a kept block for the clean side. Parts of one block follow one another in one element.
function cleanPart(doc, el, b, shown, data) {
  let copy;
  if (el.matches(IN_TABLES)) {
    copy = doc.createElement("p");
    const cells = el.matches("td,th,caption") ? [el] : [...el.querySelectorAll("td,th,caption")];
    copy.textContent = cells.map((c) => c.textContent.trim()).filter(Boolean).join(" · ");
  } else {
    copy = el.cloneNode(true);
    for (const marked of [copy, ...copy.querySelectorAll("[data-b]")]) marked.removeAttribute("data-b");
    if (copy.matches("li,dd,dt")) { const list = doc.createElement("ul"); const li = doc.createElement("li"); li.append(...copy.childNodes); list.append(li); copy = list; }
  }
  if (shown.has(b)) {
    const box = shown.get(b);
    box.insertBefore(doc.createTextNode(" "), box.lastChild);
    box.insertBefore(copy, box.lastChild);
    return [];
  }
  const box = doc.createElement("div");
  box.className = "t";
  box.id = `c${b}`;
  box.dir = "auto";
  box.dataset.w = blockInfo(data, b, true, true);
  box.append(copy, goTo(doc, `#b${b}`, "Show on the page"));
  shown.set(b, box);
  return [box];
}

function doubtfulPages() {
  const { pages, n } = report;
  if (!report.doubtful) {
    const doubt = (p) => Math.min(pages.confidence[p] ?? 0, pages.role_confidence[p] ?? 1);
    report.doubtful = Array.from({ length: n }, (_, i) => i).sort((a, b) => doubt(a) - doubt(b) || a - b);
  }
  return report.doubtful;
}

views.page = {
  title: "Page",
  async render(root, to) {
    const page = to.rest.length ? Math.min(Math.max(0, parseInt(to.rest[0], 10) || 0), report.n - 1) : doubtfulPages()[0];
    this.page = page;
    this.root = root;
    this.cut = null;
    this.told = "";
    const { pages } = report, role = ROLES[pages.role[page]];
    const facts = [pages.type[page], pages.date[page], pages.author[page], pages.language[page], plural(pages.words[page], "word"), `${percent(pages.kept[page])} of its text kept`].filter(Boolean);
    this.frame = h("iframe", { sandbox: "", referrerpolicy: "no-referrer", title: "The page with its blocks, and its clean text", onload: () => { root.dataset.shown = page; if (this.loaded) this.loaded(); } });
    this.side = h("aside", { class: "side", "aria-label": "Details" });
    this.tools = h("div", { class: "tools" });
    root.append(h("div", { class: "pagehead" },
      h("div", null, h("h1", { dir: "auto" }, pageName(pages, page)), h("p", { class: "small" }, badge(role), " ", h("span", { class: "url", dir: "ltr" }, pages.url[page])),
        h("p", { class: "small", dir: "auto" }, facts.join(" · "), pages.notes[page] ? h("span", { class: "note" }, ` · ${pages.notes[page]}`) : null)),
      h("nav", { "aria-label": "Other pages" },
        h("button", { type: "button", onclick: () => this.step(-1), title: "k" }, "← Previous"), h("button", { type: "button", onclick: () => this.step(1), title: "j" }, "Next →"),
        h("button", { type: "button", class: "main", onclick: () => this.doubt(), title: "n" }, "Next doubtful"))),
      this.tools, h("div", { class: "sides" }, this.frame, this.side));
    this.onTheme = () => this.paint();
    document.addEventListener("theme", this.onTheme);
    await this.open();
  },
  leave() {
    document.removeEventListener("theme", this.onTheme);
  },
  async open() {
    const { page } = this, { run } = this.judged();
    const data = await loadPage(page, run);
    if (page !== this.page || run !== this.judged().run) return; // somebody was faster than the disk
    this.data = data;
    this.drawTools();
    this.paint();
    const first = this.side.querySelector(".block.k-content");
    if (first) this.side.scrollTop += first.getBoundingClientRect().top - this.side.getBoundingClientRect().top - this.side.clientHeight * 0.28;
  },
  // By which method the pages are shown: it stays when another page is opened.
  judged() {
    return report.judged || { method: "", run: "", told: "", pages: [] };
  },
  // The page by another method: dashed where it differs from the result.
  async judge(method, settings) {
    this.said.textContent = method ? "judging …" : "";
    try {
      report.judged = !method ? null : this.ask ? await this.ask(method, settings) : { method, run: method, told: "Dashed: where it differs from the result.", pages: [] };
      if (!method && report.side === "Differs") report.side = "Blocks";
      await this.open();
    } catch (error) { this.said.textContent = error.message; }
  },
  paint() {
    if (!this.data) return;
    const action = this.labelAction ? this.labelAction() : "";
    this.frame.setAttribute("sandbox", action ? "allow-forms" : "");
    this.url = documentAddress(compose(this.data, this.page, { cut: this.cut, action }));
    this.frame.src = `${this.url}#begin`;
    this.drawSide();
  },
  drawTools() {
    const present = [...new Set(this.data.kind)];
    const cut = h("input", { type: "range", min: 0, max: 1, step: 0.01, value: 0.5, "aria-label": "Keep blocks from this score", oninput: () => { this.cut = +cut.value; said.textContent = cut.value; reset.hidden = false; this.paint(); } });
    const said = h("output", null, "as decided"), { methods } = report.site, judged = this.judged();
    const method = h("select", { "aria-label": "Method", onchange: () => this.judge(method.value) },
      h("option", { value: "" }, "Method: the result"), methods.map((name) => h("option", { value: name, selected: name === judged.method }, name)));
    const modes = ["Blocks", "Markdown", ...(judged.pages.length ? ["Differs"] : []), "Hide"];
    const reset = h("button", { type: "button", class: "reset", hidden: true, onclick: () => { this.cut = null; cut.value = 0.5; said.textContent = "as decided"; reset.hidden = true; this.paint(); } }, "As decided");
    this.tools.replaceChildren(
      h("span", { class: "legend" }, ["content", "template", ...present.filter((k) => k !== "content" && k !== "template")].map((k) => h("span", { class: `key k-${k}` }, KINDS[k] || k))),
      h("label", { class: "cut" }, "Keep from score ", cut, said),
      reset,
      methods.length ? method : "", (this.said = h("output", { class: "small told", "aria-live": "polite" }, judged.told || this.told)),
      h("span", { class: "tabs", role: "group", "aria-label": "Details" }, modes.map((name) => h("button", { type: "button", "aria-pressed": String(this.mode() === name), onclick: () => { report.side = name; this.drawTools(); this.drawSide(); } }, name))));
    if (views.page.extend) views.page.extend(this);
  },
  mode() {
    return report.side || (innerWidth > 760 ? "Blocks" : "Hide");
  },
  drawSide() {
    const mode = this.mode(), data = this.data;
    this.side.hidden = mode === "Hide";
    if (mode === "Markdown") {
      this.side.replaceChildren(h("h2", null, "Markdown"), h("pre", { class: "markdown", dir: "auto" }, data.markdown || "Nothing of this page was kept."));
    } else if (mode === "Differs") {
      const { pages } = this.judged();
      this.side.replaceChildren(h("h2", null, "Where they differ most"), h("p", { class: "small" }, "Characters that only the method keeps, and only the result."),
        h("ul", { class: "differs" }, pages.map(([p, more, less]) => h("li", { class: p === this.page ? "now" : null }, h("a", { href: `#/page/${p}`, dir: "auto" }, pageName(report.pages, p)), h("span", { class: "small" }, `+${number(more)} −${number(less)}`)))));
    } else if (mode === "Blocks") {
      const text = this.texts();
      const items = data.score.map((score, b) => {
        const kept = isKept(data, b, this.cut), kind = data.kind[b];
        return h("li", null, h("button", { type: "button", class: `block ${kept ? "k-content" : `k-${kind === "content" ? "template" : kind}`}`, "data-block": b, onclick: () => this.go(b) },
          h("span", { class: "text", dir: "auto" }, text.get(b) || "(in the head of the page)"), h("span", { class: "why" }, data.reason[b].replace(/^score [\d.]+: /, "")), meter(score, "Score")));
      });
      this.side.replaceChildren(h("h2", null, plural(items.length, "block"), h("span", { class: "count" }, `${items.filter((li) => li.firstChild.classList.contains("k-content")).length} kept`)), h("ol", { class: "blocks" }, items));
    }
  },
  texts() {
    if (this.data.texts) return this.data.texts;
    const found = new Map(), top = document.implementation.createHTMLDocument("").body;
    this.data.file.build(this.data.at, top);
    for (const el of top.querySelectorAll("[data-b]")) {
      const b = +el.dataset.b, had = found.get(b) || "";
      if (had.length < 140) found.set(b, `${had} ${el.textContent}`.replace(/\s+/g, " ").trim().slice(0, 140));
    }
    this.data.texts = found;
    return found;
  },
  go(b) {
    // A new fragment of the same document scrolls the page to the block; the frame stays closed to this script all the same.
    this.frame.src = `${this.url}#b${b}`;
    this.block = b;
    for (const el of this.side.querySelectorAll(".block")) {
      const is = +el.dataset.block === b;
      el.classList.toggle("now", is);
      if (is) el.scrollIntoView({ block: "nearest" });
    }
    say(`${this.data.reason[b]}`);
  },
  // By the address: it is ahead of the view while a page is being opened.
  at() {
    const number = parseInt(route().rest[0], 10);
    return Number.isNaN(number) ? this.page : number;
  },
  nextPage(by) {
    const list = report.listed && report.listed.length ? report.listed : null, page = this.at();
    const at = list ? list.indexOf(page) : page;
    const next = list && at >= 0 ? list[at + by] : page + by;
    return next != null && next >= 0 && next < report.n ? next : null;
  },
  step(by) {
    const next = this.nextPage(by);
    if (next != null) location.hash = `#/page/${next}`;
  },
  doubt() {
    const order = doubtfulPages(), at = order.indexOf(this.at());
    location.hash = `#/page/${order[(at + 1) % order.length]}`;
  },
  key(key) {
    if (key === "j") this.step(1);
    else if (key === "k") this.step(-1);
    else if (key === "n") this.doubt();
    else if (key === "b" || key === "B") {
      const order = this.data.score.map((s, b) => [Math.abs(s - 0.5), b]).sort((x, y) => x[0] - y[0]).map(([, b]) => b);
      if (!order.length) return true;
      const at = this.block == null ? -1 : order.indexOf(this.block), n = order.length;
      this.go(order[(at + (key === "b" ? 1 : -1) + n) % n]);
    } else return false;
    return true;
  },
};
