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
    const part = (title, items) => h("section", { class: "card tall" }, h("h2", null, title, " ", h("span", { class: "count" }, number(items.length))), h("ul", { class: "tree" }, items.slice(0, 1000)));
    const page = (p, text) => h("li", null, h("a", { href: `#/page/${p}`, dir: "auto" }, pageName(pages, p)), text ? h("span", { class: "small" }, ` ${text}`) : null);
    root.append(h("div", { class: "filters" }, h("span", null, `${plural(found.same, "page")} as before; compared with a result of ${(found.before.time || "an earlier time").replace("T", " ")}`)),
      h("div", { class: "cards scroll" }, part("New", found.new.map((p) => page(p))),
        part("Changed", found.changed.map(([p, before, now]) => page(p, `${number(before)} → ${number(now)} characters`))),
        part("Gone", found.gone.map(([url, title]) => h("li", { dir: "auto" }, title || url, " ", h("span", { class: "small url" }, address(url)))))));
  },
};

views.page.agreement = async (method) => {
  const met = await ask("run", { method });
  return `Both keep ${number(met.both)} characters; only ${method} ${number(met.only_method)}, only the result ${number(met.only_result)}. Dashed: they differ.`;
};

views.page.extend = (view) => {
  const { said } = view;
  const label = async (kind) => {
    try {
      const row = await ask("label", { page: view.page, kind, blocks: [...(view.choose || [])] });
      said.textContent = `labelled ${row.kind}: ${row.path}`;
    } catch (error) { said.textContent = error.message; }
  };
  const choosing = h("button", { type: "button", "aria-pressed": String(!!view.choose), onclick: () => {
    view.choose = view.choose ? null : new Set(view.data.kept.flatMap((k, b) => (k ? [b] : [])));
    report.side = "Blocks";
    view.drawTools();
    view.paint();
  } }, "Label");
  view.tools.append(choosing, ...(view.choose ? ["article", "toc", "other"].map((kind) => h("button", { type: "button", class: "main", onclick: () => label(kind) }, ROLE_NAMES[kind])) : []),
    h("button", { type: "button", title: "Write what was learned of the site to model.json in the result folder", onclick: async () => { try { said.textContent = `wrote ${(await ask("save-model", {})).saved}`; } catch (error) { said.textContent = error.message; } } }, "Save model"));
};

// While labels are given, a click on a block in the list takes it in or out.
const plainGo = views.page.go;
views.page.go = function (b) {
  if (this.choose) {
    if (this.choose.has(b)) this.choose.delete(b); else this.choose.add(b);
    this.paint();
  }
  plainGo.call(this, b);
};
