// The Site view: what was found in one screen.
"use strict";

const KINDS = { content: "kept", template: "dropped", comments: "comments", related: "related", author: "author box", posts: "posts", list: "list" };

function counts(values) {
  const found = new Map();
  for (const value of values) found.set(value, (found.get(value) || 0) + 1);
  return [...found].sort((a, b) => b[1] - a[1]);
}

function bars(title, pairs, toLink, limit = 8) {
  const most = Math.max(1, ...pairs.map(([, n]) => n));
  const rows = pairs.slice(0, limit).map(([value, n]) =>
    h("li", null, h("a", { href: toLink(value) },
      h("span", { class: "what", dir: "auto" }, String(value || "unknown")), h("span", { class: "bar-line", style: { width: `${(n / most) * 100}%` } }), h("span", { class: "count" }, number(n)))));
  const rest = pairs.slice(limit);
  if (rest.length) rows.push(h("li", { class: "rest" }, `and ${plural(rest.length, "other")}, ${plural(rest.reduce((s, [, n]) => s + n, 0), "page")}`));
  return h("section", { class: "card" }, h("h2", null, title), h("ul", { class: "bars" }, rows));
}

function columnsOfYears(pairs) {
  const years = pairs.filter(([y]) => /^\d{4}$/.test(y)).sort((a, b) => a[0] - b[0]);
  if (!years.length) return null;
  const first = Math.max(+years[0][0], +years.at(-1)[0] - 40), last = +years.at(-1)[0];
  const by = new Map(years.map(([y, n]) => [+y, n]));
  const edges = [], heights = [];
  for (let y = first; y <= last; y++) { edges.push(y); heights.push(by.get(y) || 0); }
  const unknown = pairs.find(([y]) => !y);
  return h("section", { class: "card" }, h("h2", null, "By year"),
    columnChart(heights, (i) => `${edges[i]}: ${plural(heights[i], "page")}`, first, last, (i) => link("pages", { year: edges[i] })),
    unknown ? h("p", { class: "small" }, `${plural(unknown[1], "page")} without a date`) : null);
}

function columnChart(heights, label, first, last, toLink) {
  const most = Math.max(1, ...heights), width = 320, height = 92, step = width / heights.length;
  const rects = heights.map((n, i) => {
    const size = n ? Math.max(2, (n / most) * height) : 0;
    const rect = h("svg:rect", { x: (i * step + 0.5).toFixed(1), y: (height - size).toFixed(1), width: Math.max(1, step - 1).toFixed(1), height: size.toFixed(1), rx: 1 }, h("svg:title", null, label(i)));
    return toLink && n ? h("svg:a", { href: toLink(i) }, rect) : rect;
  });
  return h("div", { class: "chart" },
    h("svg:svg", { viewBox: `0 0 ${width} ${height + 1}`, role: "img", preserveAspectRatio: "none", "aria-label": heights.map((_, i) => label(i)).filter((_, i) => heights[i]).join("; ") },
      h("svg:line", { x1: 0, x2: width, y1: height + 0.5, y2: height + 0.5 }), rects),
    h("div", { class: "axis" }, h("span", null, String(first)), h("span", null, String(last))));
}

function histogram(title, data) {
  const total = data.counts.reduce((a, b) => a + b, 0);
  if (!total) return null;
  const label = (i) => `${data.edges[i]} to ${data.edges[i + 1]}: ${number(data.counts[i])}`;
  return h("section", { class: "card" }, h("h2", null, title), columnChart(data.counts, label, data.edges[0], number(data.edges.at(-1))));
}

// A template as its blocks look from far away: a line for every sixty characters, in the colour of what became of it.
function thumbnail(bars) {
  const width = 120, height = 150, lines = bars.map(([n]) => Math.max(1, Math.min(14, Math.ceil(n / 60))));
  const total = lines.reduce((a, b) => a + b, 0) + bars.length * 0.4;
  const unit = Math.min(4, height / Math.max(total, 1));
  let y = 0;
  const shapes = bars.map(([n, kind], i) => {
    const size = lines[i] * unit, at = y;
    y += size + unit * 0.4;
    return h("svg:rect", { class: `k-${kind}`, x: kind === "content" ? 6 : 10, y: at.toFixed(2), width: Math.max(8, Math.min(108, (n / 60) * 108)).toFixed(1), height: Math.max(0.6, size).toFixed(2), rx: 1 });
  });
  const nKept = bars.filter(([, kind]) => kind === "content").length;
  return h("svg:svg", { viewBox: `0 0 ${width} ${height}`, class: "thumb", role: "img", "aria-label": `${plural(bars.length, "block")}, ${nKept} kept` }, shapes);
}

function templates(list) {
  const { pages } = report;
  const items = list.slice(0, 24).map((t) => {
    const role = ROLES[t.roles.indexOf(Math.max(...t.roles))];
    return h("li", null, h("a", { class: "template", href: link("pages", { template: t.template }) }, thumbnail(t.bars),
      h("span", { class: "count" }, plural(t.pages, "page")), h("span", { class: `role ${role}` }, ROLE_NAMES[role])),
      h("a", { class: "small example", href: `#/page/${t.page}`, dir: "auto" }, pageName(pages, t.page)));
  });
  return h("section", { class: "card wide" }, h("h2", null, "Templates"),
    h("p", { class: "small" }, "Pages with the same markup. Each picture is the typical page of one: ", legend(["content", "template", "comments", "related", "author"])),
    h("ul", { class: "templates" }, items));
}

function legend(kinds) {
  return h("span", { class: "legend" }, kinds.map((kind) => h("span", { class: `key k-${kind}` }, KINDS[kind] || kind)));
}

// TOC pages, their entries, and what those lead to: opened when asked for.
function tree(graph) {
  const { pages } = report;
  const children = new Map();
  for (const i of graph.distilled) {
    const from = graph.source[i];
    if (!children.has(from)) children.set(from, []);
    children.get(from).push(graph.target[i]);
  }
  const step = 100;
  const item = (page, seen) => {
    const own = (children.get(page) || []).filter((p) => !seen.has(p));
    const role = ROLES[pages.role[page]];
    const label = [h("span", { class: `dot ${role}`, title: ROLE_NAMES[role], role: "img", "aria-label": ROLE_NAMES[role] }), " ", h("a", { href: `#/page/${page}`, dir: "auto" }, pageName(pages, page))];
    if (!own.length || role !== "toc") return h("li", null, label);
    const list = h("ul");
    const fill = (from) => {
      const now = new Set(seen).add(page);
      list.append(...own.slice(from, from + step).map((p) => item(p, now)));
      if (own.length > from + step) list.append(h("li", null, h("button", { type: "button", onclick: (e) => { e.target.parentElement.remove(); fill(from + step); } }, `${number(own.length - from - step)} more`)));
    };
    const details = h("details", { ontoggle: () => { if (details.open && !list.children.length) fill(0); } }, h("summary", null, label, h("span", { class: "count" }, number(own.length))), list);
    return h("li", null, details);
  };
  const linked = new Set(graph.distilled.map((i) => graph.target[i]));
  let roots = [...children.keys()].filter((p) => p === graph.home || !linked.has(p));
  if (!roots.length) roots = [...children.keys()].sort((a, b) => children.get(b).length - children.get(a).length).slice(0, 5);
  roots.sort((a, b) => (b === graph.home) - (a === graph.home) || children.get(b).length - children.get(a).length);
  const items = roots.slice(0, 50).map((p) => item(p, new Set()));
  const first = items[0] && items[0].querySelector("details");
  if (first) first.open = true;
  return h("section", { class: "card tall" }, h("h2", null, "The informative structure"),
    h("p", { class: "small" }, "TOC pages, the entries of their lists, and the pages that these lead to. ", h("a", { href: "#/graph" }, "As a picture")),
    items.length ? h("ul", { class: "tree" }, items) : h("p", null, "No TOC page leads to another page."));
}

function attention(list) {
  const { pages } = report;
  const row = ([page, text]) => h("li", null, h("a", { href: `#/page/${page}`, dir: "auto" }, pageName(pages, page)), h("span", { class: "small", dir: "auto", title: text }, text));
  const entry = (found, i) => {
    const list = h("ul", null, found.rows.slice(0, 6).map(row)), rest = found.rows.slice(6, 100);
    const more = rest.length ? h("button", { type: "button", onclick: () => { list.append(...rest.map(row)); more.remove(); } }, `${number(rest.length)} more`) : null;
    return h("details", { class: "look", open: i === 0 },
      h("summary", null, h("b", null, found.title), h("span", { class: "count" }, number(found.n)), h("span", { class: "small" }, found.why)), list, more,
      found.n > Math.min(100, found.rows.length) ? h("p", { class: "small" }, `The first ${Math.min(100, found.rows.length)} of ${number(found.n)}`) : null);
  };
  return h("section", { class: "card tall" }, h("h2", null, "What to look at"), list.length ? list.map(entry) : h("p", null, "Nothing stands out."));
}

function made(summary) {
  const methods = summary.methods || {};
  const rows = [["Source", summary.source], ["Made", (summary.time || "").replace("T", " ")], ["Took", summary.seconds == null ? "" : `${summary.seconds} s`],
    ["Text by", (methods.nodes || {}).name], ["Roles by", (methods.pages || {}).name],
    ...Object.entries(summary.skipped || {}).map(([why, n]) => [why, number(n)])].filter(([, v]) => v);
  return h("section", { class: "card" }, h("h2", null, "How it was made"),
    h("dl", { class: "facts" }, rows.flatMap(([k, v]) => [h("dt", null, k), h("dd", null, String(v))])),
    (summary.notes || []).concat(summary.problems || []).slice(0, 20).map((note) => h("p", { class: "small note" }, note)));
}

views.site = {
  title: "Site",
  async render(root) {
    const { site, pages, n } = report, s = site.summary;
    const parts = ["toc", "article", "other"].map((role) => [role, (s.roles || {})[role] || 0]);
    root.append(h("section", { class: "hero" },
      h("h1", { dir: "auto" }, site.name || "A site"),
      h("p", { class: "lead" }, plural(n, "page"), ", ", plural(s.links || 0, "link"), ", ", plural(s.templates || 0, "template")),
      h("div", { class: "stack", role: "list", "aria-label": "Pages by role" }, parts.filter(([, c]) => c).map(([role, c]) =>
        h("a", { class: role, role: "listitem", href: link("pages", { role }), style: { "flex-grow": c } }, h("b", null, number(c)), h("span", null, c === 1 ? ROLE_NAMES[role] : ROLE_PLURAL[role]))))));
    const grid = h("div", { class: "cards" });
    root.append(grid);
    const slot = h("section", { class: "card tall" }, h("h2", null, "The informative structure"));
    grid.append(slot, attention(site.attention));
    if (pages.type.some(Boolean)) grid.append(bars("By type", counts(pages.type), (type) => link("pages", { type })));
    grid.append(bars("By language", counts(pages.language), (language) => link("pages", { language })));
    const sections = counts(pages.url.map(sectionOf));
    if (sections.length > 1) grid.append(bars("By section", sections, (section) => link("pages", { section })));
    grid.append(templates(site.templates));
    const years = columnsOfYears(counts(pages.date.map((d) => d.slice(0, 4))));
    if (years) grid.append(years);
    for (const [title, data] of Object.entries(site.histograms)) { const chart = histogram(title, data); if (chart) grid.append(chart); }
    grid.append(made(s));
    slot.replaceWith(tree(await load("graph")));
  },
};
