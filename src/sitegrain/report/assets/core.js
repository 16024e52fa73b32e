// The report: data files, routes, and small parts that every view uses. Text of pages only ever goes through
// textContent or attributes here; markup of a page is shown in the frame of the Page view alone.
"use strict";

const ROLES = ["other", "toc", "article"];
const ROLE_NAMES = { other: "other", toc: "TOC page", article: "article" };
const ROLE_PLURAL = { other: "others", toc: "TOC pages", article: "articles" };
const views = {};
const packedData = new Map();
const waiting = new Map();
const opened = new Map();

// --- data files

function sitegrain(name, text) {
  packedData.set(name, text);
  if (waiting.has(name)) waiting.get(name)();
}

// A length, JSON of that length, and the arrays that it names.
const ARRAYS = { uint8: Uint8Array, uint16: Uint16Array, uint32: Uint32Array, int32: Int32Array };

async function unpack(text) {
  const binary = atob(text), bytes = new Uint8Array(binary.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = binary.charCodeAt(i);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  const whole = await new Response(stream).arrayBuffer(), size = new DataView(whole).getUint32(0, true);
  const value = JSON.parse(new TextDecoder().decode(new Uint8Array(whole, 4, size)));
  let at = 4 + size;
  for (const [name, kind, n] of value.columns || []) {
    const end = at + n * ARRAYS[kind].BYTES_PER_ELEMENT;
    value[name] = new ARRAYS[kind](whole.slice(at, end));
    at = end;
  }
  return value;
}

// The value of a data file; a script element is the one way to read a file beside this one without a server.
function load(name) {
  if (!opened.has(name)) {
    const value = fetchData(name).then(unpack);
    value.catch(() => opened.delete(name));
    opened.set(name, value);
  }
  if (opened.size > 16) for (const old of opened.keys()) if (old.startsWith("body-") && old !== name) { opened.delete(old); break; }
  return opened.get(name);
}

async function fetchData(name) {
  if (packedData.has(name)) return packedData.get(name);
  const src = `data/${name}.js`;
  await new Promise((resolve, reject) => {
    const script = h("script", { src, onerror: () => reject(new Error(`${src} is missing`)), onload: () => script.remove() });
    waiting.set(name, resolve);
    document.head.append(script);
  }).catch(async (error) => {
    // A server says why.
    throw location.protocol === "file:" ? error : new Error(await (await fetch(src)).text());
  });
  waiting.delete(name);
  const text = packedData.get(name);
  packedData.delete(name);
  return text;
}

// --- elements

function h(tag, props, ...children) {
  const el = tag.startsWith("svg:") ? document.createElementNS("http://www.w3.org/2000/svg", tag.slice(4)) : document.createElement(tag);
  for (const [key, value] of Object.entries(props || {})) {
    if (value == null || value === false) continue;
    if (key.startsWith("on")) el.addEventListener(key.slice(2), value);
    else if (key === "style") for (const [name, v] of Object.entries(value)) el.style.setProperty(name, v);
    else el.setAttribute(key, value === true ? "" : value);
  }
  el.append(...children.flat().filter((child) => child != null && child !== false));
  return el;
}

const number = (n) => n.toLocaleString("en");
const percent = (x) => (x == null ? "–" : `${Math.round(x * 100)}%`);
const plural = (n, word) => `${number(n)} ${word}${n === 1 ? "" : "s"}`;

function badge(role) {
  return h("span", { class: `role ${role}` }, ROLE_NAMES[role]);
}

function meter(value, label) {
  const title = `${label} ${value == null ? "unknown" : value.toFixed(2)}`;
  return h("span", { class: "meter", title, role: "img", "aria-label": title }, h("i", { style: { width: percent(value || 0) } }));
}

// An address without scheme and host, as people read it.
function address(url) {
  const [, host, path] = /^[a-z]+:\/\/([^/?#]*)(.*)$/is.exec(url) || ["", "", url];
  if (path === "/" || path === "") return host;
  if (!path.includes("%")) return path;
  try { return decodeURI(path); } catch { return path; }
}

function pageName(pages, page) {
  return pages.title[page] || address(pages.url[page]) || `page ${page}`;
}

function say(text) {
  document.getElementById("live").textContent = text;
}

// --- routes: #/view/rest?filters

function route() {
  const [path, query = ""] = (location.hash.replace(/^#\/?/, "") || "site").split("?");
  const [view, ...rest] = path.split("/");
  return { view: views[view] ? view : "site", rest, query: new URLSearchParams(query) };
}

function link(view, params) {
  const query = new URLSearchParams(Object.entries(params || {}).filter(([, v]) => v !== "" && v != null)).toString();
  return `#/${view}${query ? `?${query}` : ""}`;
}

let report = null;
let current = null;

async function show() {
  const to = route();
  const root = document.getElementById("view");
  for (const tab of document.querySelectorAll("#tabs a")) tab.setAttribute("aria-current", tab.dataset.view === to.view ? "page" : "false");
  if (current && current.name === to.view && views[to.view].update && (await views[to.view].update(to))) return;
  if (current && views[current.name].leave) views[current.name].leave();
  current = { name: to.view };
  root.className = `view-${to.view}`;
  root.replaceChildren();
  try {
    await views[to.view].render(root, to);
  } catch (error) {
    root.replaceChildren(h("p", { class: "wait", role: "alert" }, `This could not be shown: ${error.message}`));
  }
  root.dataset.ready = to.view;
}

function setTheme(theme) {
  if (theme) document.documentElement.dataset.theme = theme;
  else delete document.documentElement.dataset.theme;
  document.dispatchEvent(new CustomEvent("theme"));
}

function isDark() {
  const set = document.documentElement.dataset.theme;
  return set ? set === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}

function colour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}

async function start() {
  const [site, pages] = await Promise.all([load("site"), load("pages")]);
  report = { site, pages, n: pages.url.length };
  if (site.server && !site.server.compare) delete views.compare;
  const name = site.name || "A site";
  document.getElementById("name").textContent = name;
  document.title = `${name} · sitegrain`;
  const tabs = document.getElementById("tabs");
  for (const [view, { title }] of Object.entries(views)) if (title) tabs.append(h("a", { href: `#/${view}`, "data-view": view }, title));
  const find = document.getElementById("find");
  find.addEventListener("keydown", (event) => {
    if (event.key === "Enter" || event.key === "ArrowDown") {
      location.hash = link("pages", { q: find.value });
      event.preventDefault();
    }
  });
  find.addEventListener("input", () => { if (route().view === "pages") location.hash = link("pages", { ...Object.fromEntries(route().query), q: find.value }); });
  document.getElementById("theme").addEventListener("click", () => setTheme(isDark() ? "light" : "dark"));
  document.getElementById("help").addEventListener("click", () => document.getElementById("keys").showModal());
  addEventListener("hashchange", show);
  addEventListener("keydown", onKey);
  await show();
  // What a first search and a first sort would wait for is made while nobody waits.
  const idle = window.requestIdleCallback || ((work) => setTimeout(work, 300));
  for (const work of [searchable, ...["title", "author", "date", "words"].map((column) => () => ranks(column))]) idle(work);
}

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName)) {
    if (event.key === "Escape") event.target.blur();
    return;
  }
  const names = Object.entries(views).filter(([, view]) => view.title).map(([name]) => name);
  if (event.key === "/") document.getElementById("find").focus();
  else if (event.key === "?") document.getElementById("keys").showModal();
  else if (event.key === "t") setTheme(isDark() ? "light" : "dark");
  else if (/^[1-9]$/.test(event.key) && names[event.key - 1]) location.hash = `#/${names[event.key - 1]}`;
  else if (!(views[route().view].key && views[route().view].key(event.key))) return;
  event.preventDefault();
}

addEventListener("DOMContentLoaded", () => start().catch((error) => {
  document.getElementById("view").replaceChildren(h("p", { class: "wait", role: "alert" }, `The report could not be opened: ${error.message}`));
}));
