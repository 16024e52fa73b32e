// What only the explorer can do: other methods, full-text search, comparison, labels, the site model.
"use strict";

async function ask(name, given) {
  const post = given && { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(given) };
  const answer = await fetch(`api/${name}`, post || {});
  const value = await answer.json();
  if (!answer.ok) throw new Error(value.error || answer.statusText);
  return value;
}

views.search = {
  title: "Search",
  async render(root, to) {
    const list = h("ol", { class: "hits" }), said = h("output", { class: "count" });
    const q = h("input", { type: "search", placeholder: "Words in the text", "aria-label": "Words in the text", value: to.query.get("q") || "" });
    const run = async () => {
      if (!q.value.trim()) return;
      said.textContent = "searching …";
      try {
        const began = performance.now(), hits = await ask(`search?q=${encodeURIComponent(q.value)}`);
        said.textContent = `${plural(hits.length, "page")}, ${Math.round(performance.now() - began)} ms`;
        list.replaceChildren(...hits.map((hit) => h("li", null, h("a", { href: `#/page/${hit.page}`, dir: "auto" }, hit.title || hit.url), h("p", { class: "small url" }, hit.url), h("p", { dir: "auto" }, hit.snippet))));
        report.listed = hits.map((hit) => hit.page);
      } catch (error) { said.textContent = error.message; }
    };
    root.append(h("form", { class: "filters", onsubmit: (e) => { e.preventDefault(); run(); } }, q, h("button", { class: "main" }, "Search"), said), list);
    q.focus();
    await run();
  },
};

views.compare = {
  title: "Compare",
  async render(root) {
    const found = await ask("compare"), { pages } = report;
    const part = (title, empty, items) => h("section", { class: "card tall" }, h("h2", null, title, " ", h("span", { class: "count" }, number(items.length))),
      items.length ? h("ul", { class: "tree" }, items.slice(0, 1000)) : h("p", { class: "small" }, empty), items.length > 1000 ? h("p", { class: "small" }, `The first 1,000 of ${number(items.length)}`) : null);
    const name = (p) => h("a", { href: `#/page/${p}`, dir: "auto" }, pageName(pages, p));
    const changed = ([p, before, now]) => {
      const lines = h("div", { class: "lines" });
      const details = h("details", { ontoggle: async () => {
        if (!details.open || lines.children.length) return;
        try {
          lines.replaceChildren(...(await ask(`compare?page=${p}`)).lines.map(([mark, text]) => h(mark === "+" ? "ins" : mark === "-" ? "del" : "p", { dir: "auto" }, text)));
        } catch (error) { lines.replaceChildren(h("p", { role: "alert" }, error.message)); }
      } }, h("summary", null, name(p), h("span", { class: "small" }, ` ${number(before)} → ${number(now)} characters`)), lines);
      return h("li", null, details);
    };
    root.append(h("div", { class: "filters" }, h("span", null, `${plural(found.same, "page")} unchanged since the result of ${(found.before.time || "an earlier time").replace("T", " ").slice(0, 16)}`)),
      h("div", { class: "cards scroll" }, part("Changed", "No text has changed.", found.changed.map(changed)),
        part("New", "No page is new.", found.new.map((p) => h("li", null, name(p)))),
        part("Gone", "No page is gone.", found.gone.map(([url, title]) => h("li", { dir: "auto" }, title || url, " ", h("span", { class: "small url" }, address(url)))))));
  },
};

// --- other methods, with any parameters

views.page.ask = async (method, settings) => {
  const met = await ask("run", { method, settings: settings || {} });
  const told = `Both keep ${number(met.both)} characters; only ${method} ${number(met.only_method)}, only the result ${number(met.only_result)}. Dashed: they differ.`;
  return { method, run: met.run, told, pages: met.pages, settings: settings || {} };
};

function parameterForm(view) {
  const { method, settings } = view.judged(), known = report.site.server.parameters[method] || [];
  if (!known.length) return null;
  const fields = known.map((p) => {
    const value = (settings || {})[p.name] ?? p.value;
    const field = p.choices.length ? h("select", { name: p.name }, p.choices.map((v) => h("option", { value: v, selected: v === value }, v)))
      : h("input", { name: p.name, value, size: Math.max(4, Math.min(12, value.length + 1)), title: p.allowed });
    return h("label", { class: p.name in (settings || {}) ? "set" : null }, p.name, " ", field);
  });
  const form = h("form", { class: "params", "aria-label": `Parameters of ${method}`, onsubmit: (event) => {
    event.preventDefault();
    const given = {};
    for (const p of known) { const v = form.elements[p.name].value; if (v !== p.value) given[p.name] = v; }
    view.judge(method, given);
  } }, fields, h("button", { class: "main" }, "Run"), h("button", { type: "button", onclick: () => view.judge(method) }, "As published"));
  return form;
}

// --- labels

views.page.labelAction = function () {
  // A label speaks of the blocks of the result, not of those of another method.
  return report.isLabelling && !report.judged ? new URL(`label/${this.page}`, location.href.split("#")[0]).href : "";
};

// The frame has shown something: perhaps the answer to a label.
views.page.loaded = async function () {
  if (!report.isLabelling || report.judged) return;
  const said = await ask("said");
  if (said.n <= (report.saidBefore ?? report.site.server.said)) return;
  report.saidBefore = said.n;
  if (said.error) {
    this.paint();
    this.said.textContent = said.error;
    return;
  }
  report.site.server.labelled[said.page] = said.kind;
  this.told = `Labelled as ${ROLE_NAMES[said.kind]}: ${said.path}`;
  say(this.told);
  const next = this.nextPage(1);
  if (next == null) { this.drawTools(); this.paint(); } else { report.told = this.told; location.hash = `#/page/${next}`; }
};

views.page.extend = (view) => {
  const { said } = view, { labelled } = report.site.server;
  if (report.told) { said.textContent = report.told; report.told = ""; }
  const n = Object.keys(labelled).length, own = labelled[view.page];
  const label = h("button", { type: "button", "aria-pressed": String(!!report.isLabelling && !report.judged), title: "Say what the page is about by clicking it", onclick: () => {
    report.isLabelling = !report.isLabelling || !!report.judged;
    report.judged = null;
    view.open();
  } }, "Label", n ? h("span", { class: "count" }, ` ${number(n)} done`) : null);
  const save = h("button", { type: "button", title: "Write what was learned of the site to model.json in the result folder", onclick: async () => {
    try { said.textContent = `wrote ${(await ask("save-model", {})).saved}`; } catch (error) { said.textContent = error.message; }
  } }, "Save model");
  view.tools.append(label, save);
  if (own) label.before(h("span", { class: "small note" }, `labelled as ${ROLE_NAMES[own] || own}`));
  const form = parameterForm(view);
  if (form) view.tools.append(form);
};
