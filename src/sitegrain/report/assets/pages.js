// The Pages view: a table of any length. Only the rows in sight are elements.
"use strict";

const ROW = 46;
const COLUMNS = [
  ["title", "Title", "title"], ["role", "Role", "role"], ["type", "Type", "type"], ["date", "Date", "date"], ["author", "Author", "author"],
  ["words", "Words", "number"], ["confidence", "Text conf.", "meter"], ["role_confidence", "Role conf.", "meter"],
];
const HINTS = { confidence: "confidence in the text", role_confidence: "confidence in the role", words: "number of words" };

// Everything that is searched, once, in lower case.
function searchable() {
  const { pages, n } = report;
  if (!report.lower) {
    report.lower = new Array(n);
    for (let i = 0; i < n; i++) report.lower[i] = `${pages.title[i]}\n${address(pages.url[i])}\n${pages.author[i]}`.toLowerCase();
  }
  return report.lower;
}

// The first folder of an address: what a site calls its sections.
function sectionOf(url) {
  const path = url.replace(/^[a-z]+:\/\/[^/]*/i, "").split(/[?#]/)[0].split("/");
  return path.length > 2 ? `/${path[1]}/` : "/";
}

function select(query) {
  const { pages, n } = report;
  const want = (name) => query.get(name);
  const role = want("role") ? ROLES.indexOf(want("role")) : -1;
  const type = query.has("type") ? want("type") : null, language = query.has("language") ? want("language") : null;
  const year = want("year"), section = want("section"), template = want("template") ? +want("template") : -1;
  const words = (want("q") || "").toLowerCase().split(/\s+/).filter(Boolean);
  const lower = words.length ? searchable() : null;
  const rows = [];
  for (let i = 0; i < n; i++) {
    if (role >= 0 && pages.role[i] !== role) continue;
    if (type !== null && pages.type[i] !== type) continue;
    if (language !== null && pages.language[i] !== language) continue;
    if (year && !pages.date[i].startsWith(year)) continue;
    if (section && sectionOf(pages.url[i]) !== section) continue;
    if (template >= 0 && pages.template[i] !== template) continue;
    if (lower && !words.every((word) => lower[i].includes(word))) continue;
    rows.push(i);
  }
  return sorted(rows, want("sort"), want("down") === "1");
}

// The rank of every page in one column is found once and then compared as a number; empty values are last.
const LAST = 2 ** 30;

function ranks(column) {
  report.ranks ||= {};
  if (!report.ranks[column]) {
    const values = report.pages[column].map((v) => (typeof v === "string" ? v.toLowerCase() : v));
    const isEmpty = (v) => v === "" || v == null;
    const order = [], rank = new Int32Array(values.length).fill(LAST);
    values.forEach((v, i) => { if (!isEmpty(v)) order.push(i); });
    order.sort((a, b) => (values[a] < values[b] ? -1 : values[a] > values[b] ? 1 : a - b));
    order.forEach((page, place) => { rank[page] = place; });
    report.ranks[column] = rank;
  }
  return report.ranks[column];
}

function sorted(rows, column, isDown) {
  if (!column || !report.pages[column]) return rows;
  // Ranks are places: no comparison is needed.
  const rank = ranks(column), places = new Int32Array(report.n).fill(-1), empty = [];
  for (const page of rows) if (rank[page] === LAST) empty.push(page); else places[rank[page]] = page;
  const found = Array.from(places.filter((page) => page >= 0));
  return (isDown ? found.reverse() : found).concat(empty);
}

function cell(kind, page, name) {
  const value = report.pages[name][page];
  if (kind === "title") return [h("span", { class: "name", dir: "auto" }, pageName(report.pages, page)), h("span", { class: "small url" }, address(report.pages.url[page]))];
  if (kind === "role") return [badge(ROLES[value])];
  if (kind === "meter") return [meter(value, name === "confidence" ? "Confidence in the text:" : "Confidence in the role:")];
  if (kind === "number") return [number(value)];
  return [h("span", { dir: "auto" }, value)];
}

views.pages = {
  title: "Pages",
  async render(root, to) {
    const options = (values) => counts(values).map(([v]) => v);
    const { pages } = report;
    this.filters = h("form", { class: "filters", onsubmit: (e) => e.preventDefault() });
    const pick = (name, label, values, text = String) => {
      const field = h("select", { name, "aria-label": label, onchange: () => this.go({ [name]: field.value === "*" ? null : field.value }) },
        h("option", { value: "*" }, `${label}: all`), values.map((v) => h("option", { value: v }, text(v) || "unknown")));
      return field;
    };
    this.q = h("input", { type: "search", name: "q", placeholder: "Title, address or author", "aria-label": "Search in the pages", oninput: () => this.go({ q: this.q.value }) });
    this.fields = { role: pick("role", "Role", ["toc", "article", "other"], (r) => ROLE_NAMES[r]) };
    if (pages.type.some(Boolean)) this.fields.type = pick("type", "Type", options(pages.type));
    this.fields.language = pick("language", "Language", options(pages.language));
    this.fields.template = pick("template", "Template", options(pages.template), (t) => `template ${t}`);
    this.count = h("output", { class: "count" });
    this.filters.append(this.q, ...Object.values(this.fields), this.count, h("button", { type: "button", onclick: () => { location.hash = "#/pages"; } }, "Clear"));
    this.head = h("div", { class: "row head", role: "row" }, COLUMNS.map(([name, label]) =>
      h("span", { role: "columnheader", class: `c-${name}`, "data-name": name }, h("button", { type: "button", title: `Sort by ${HINTS[name] || label.toLowerCase()}`, onclick: () => this.sort(name) }, label))));
    this.space = h("div", { class: "space", role: "rowgroup" });
    this.box = h("div", { class: "rows", role: "presentation", tabindex: "0", "aria-label": "Pages", onscroll: () => this.draw() }, this.space);
    root.append(this.filters, h("div", { class: "table", role: "table", "aria-label": "Pages" }, this.head, this.box));
    this.observer = new ResizeObserver(() => this.draw());
    this.observer.observe(this.box);
    this.update(to);
  },
  leave() { this.observer.disconnect(); },
  go(change) {
    const now = Object.fromEntries(route().query);
    for (const [key, value] of Object.entries(change)) if (value === null || (key !== "type" && key !== "language" && value === "")) delete now[key]; else now[key] = value;
    location.replace(`#/pages?${new URLSearchParams(now)}`);
  },
  sort(name) {
    const query = route().query, numeric = ["words", "confidence", "role_confidence", "date"].includes(name);
    if (query.get("sort") !== name) this.go({ sort: name, down: numeric && !name.includes("confidence") ? "1" : null });
    else this.go({ down: query.get("down") === "1" ? null : "1" });
  },
  update({ query }) {
    this.rows = select(query);
    report.listed = this.rows;
    if (document.activeElement !== this.q) this.q.value = query.get("q") || "";
    const find = document.getElementById("find");
    if (document.activeElement !== find) find.value = query.get("q") || "";
    for (const [name, field] of Object.entries(this.fields)) field.value = query.has(name) ? query.get(name) : "*";
    this.count.textContent = plural(this.rows.length, "page");
    for (const el of this.head.children) {
      const is = query.get("sort") === el.dataset.name;
      el.setAttribute("aria-sort", is ? (query.get("down") === "1" ? "descending" : "ascending") : "none");
    }
    this.space.style.height = `${this.rows.length * ROW}px`;
    this.box.scrollTop = 0;
    this.drawn = "";
    this.draw();
    return true;
  },
  draw() {
    const first = Math.max(0, Math.floor(this.box.scrollTop / ROW) - 6);
    const last = Math.min(this.rows.length, first + Math.ceil(this.box.clientHeight / ROW) + 12);
    const key = `${first}-${last}`;
    if (this.drawn === key) return;
    this.drawn = key;
    const out = [];
    for (let i = first; i < last; i++) {
      const page = this.rows[i];
      out.push(h("a", { class: "row", role: "row", "aria-rowindex": i + 2, href: `#/page/${page}`, style: { top: `${i * ROW}px` } },
        COLUMNS.map(([name, , kind]) => h("span", { role: "cell", class: `c-${name}` }, cell(kind, page, name)))));
    }
    this.space.replaceChildren(...out);
    if (!this.rows.length) this.space.append(h("p", { class: "wait" }, "No page matches these filters."));
  },
};
