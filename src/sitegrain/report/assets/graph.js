// The Graph view: the site before and after distilling. WebGL by hand: points and lines are all it needs.
"use strict";

const VERTEX = `attribute vec2 place; attribute vec4 tint; attribute float size; uniform vec3 view; uniform vec2 half_box; uniform float ratio; varying vec4 colour;
void main(){ gl_Position = vec4((place + view.xy) * view.z / half_box, 0.0, 1.0); gl_PointSize = size * ratio * clamp(pow(view.z / 8.0, 0.5), 0.7, 3.5); colour = tint; }`;
const FRAGMENT = `precision mediump float; varying vec4 colour; uniform float is_point;
void main(){ float a = colour.a; if (is_point > 0.5) { float d = length(gl_PointCoord - 0.5); a *= 1.0 - smoothstep(0.42, 0.5, d); } gl_FragColor = vec4(colour.rgb * a, a); }`;

function rgba(css, alpha) {
  const c = document.createElement("canvas").getContext("2d");
  c.fillStyle = css;
  c.fillRect(0, 0, 1, 1);
  return [...c.getImageData(0, 0, 1, 1).data.slice(0, 3)].map((v) => v / 255).concat(alpha);
}

class Drawing {
  constructor(canvas) {
    this.canvas = canvas;
    const gl = (this.gl = canvas.getContext("webgl", { antialias: true, alpha: true, premultipliedAlpha: true }));
    if (!gl) throw new Error("this browser has no WebGL");
    const program = (this.program = gl.createProgram());
    for (const [type, source] of [[gl.VERTEX_SHADER, VERTEX], [gl.FRAGMENT_SHADER, FRAGMENT]]) {
      const shader = gl.createShader(type);
      gl.shaderSource(shader, source);
      gl.compileShader(shader);
      gl.attachShader(program, shader);
    }
    gl.linkProgram(program);
    gl.useProgram(program);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    this.sets = {};
  }

  // Seven numbers for each corner: place, colour, size.
  put(name, numbers) {
    const gl = this.gl, set = this.sets[name] || (this.sets[name] = { buffer: gl.createBuffer() });
    gl.bindBuffer(gl.ARRAY_BUFFER, set.buffer);
    gl.bufferData(gl.ARRAY_BUFFER, numbers, gl.DYNAMIC_DRAW);
    set.n = numbers.length / 7;
  }

  draw(view, order) {
    const gl = this.gl, ratio = Math.min(devicePixelRatio || 1, 2), box = this.canvas.getBoundingClientRect();
    const w = Math.max(1, Math.round(box.width * ratio)), height = Math.max(1, Math.round(box.height * ratio));
    if (this.canvas.width !== w || this.canvas.height !== height) { this.canvas.width = w; this.canvas.height = height; }
    gl.viewport(0, 0, w, height);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT);
    const at = (name) => gl.getUniformLocation(this.program, name);
    gl.uniform3f(at("view"), view.x, view.y, view.scale);
    gl.uniform2f(at("half_box"), box.width / 2, box.height / 2);
    gl.uniform1f(at("ratio"), ratio);
    for (const [name, mode, count] of order) {
      const set = this.sets[name];
      if (!set || !set.n) continue;
      gl.bindBuffer(gl.ARRAY_BUFFER, set.buffer);
      for (const [attribute, size, offset] of [["place", 2, 0], ["tint", 4, 8], ["size", 1, 24]]) {
        const place = gl.getAttribLocation(this.program, attribute);
        gl.enableVertexAttribArray(place);
        gl.vertexAttribPointer(place, size, gl.FLOAT, false, 28, offset);
      }
      gl.uniform1f(at("is_point"), mode === gl.POINTS ? 1 : 0);
      gl.drawArrays(mode, 0, Math.min(set.n, count ?? set.n));
    }
  }
}

// The picture of its own: a file beside the report, or a part of it where the report is one file.
function svgLink() {
  if (!packedData.has("svg")) return h("a", { class: "small", href: "distilled.svg", target: "_blank", rel: "noreferrer" }, "SVG");
  const link = h("a", { class: "small", href: "#", download: "distilled.svg", onclick: async (event) => {
    if (link.href.startsWith("blob:")) return;
    event.preventDefault();
    link.href = URL.createObjectURL(new Blob([await load("svg")], { type: "image/svg+xml" }));
    link.click();
  } }, "SVG");
  return link;
}

views.graph = {
  title: "Graph",
  async render(root, to) {
    const graph = (this.graph = await load("graph"));
    const { pages } = report;
    this.state = this.state || { isDistilled: true, entropy: 100 };
    if (to.query.get("links")) this.state.isDistilled = to.query.get("links") !== "all";
    this.canvas = h("canvas", { class: "graph", tabindex: 0, role: "img", "aria-label": `The pages of the site and ${plural(graph.n_links, "link")} between them. The same as a list: the informative structure in the Site view.` });
    this.labels = h("canvas", { class: "graph labels", "aria-hidden": "true" });
    this.tip = h("div", { class: "tip", hidden: true });
    const radio = (value, label) => h("button", { type: "button", "aria-pressed": String(this.state.isDistilled === value), onclick: (e) => { this.state.isDistilled = value; for (const b of e.target.parentElement.children) b.setAttribute("aria-pressed", String(b === e.target)); this.draw(); } }, label);
    const said = h("output", null, "");
    const slider = h("input", { type: "range", min: 0, max: 100, value: this.state.entropy, "aria-label": "Links up to this entropy", oninput: () => { this.state.entropy = +slider.value; said.textContent = (this.state.entropy / 100).toFixed(2); this.draw(); } });
    said.textContent = (this.state.entropy / 100).toFixed(2);
    const q = h("input", { type: "search", placeholder: "Find in the graph", "aria-label": "Find in the graph", oninput: () => this.mark(q.value) });
    this.count = h("output", { class: "count" });
    root.append(h("div", { class: "filters" },
      h("span", { class: "tabs", role: "group", "aria-label": "Links" }, radio(false, "Before: all links"), radio(true, "After: distilled")),
      h("label", { class: "cut" }, "Entropy up to ", slider, said), q, this.count,
      h("span", { class: "legend" }, ["toc", "article", "other"].map((r) => h("span", { class: `key r-${r}` }, ROLE_PLURAL[r]))),
      svgLink()),
      h("div", { class: "canvas" }, this.canvas, this.labels, this.tip));
    try {
      this.drawing = new Drawing(this.canvas);
    } catch (error) {
      root.append(h("p", { class: "wait", role: "alert" }, `${error.message}: see distilled.svg beside this report instead.`));
      return;
    }
    const n = report.n;
    const hanging = new Uint32Array(n);
    for (const p of graph.parent) if (p >= 0) hanging[p]++;
    // In the order of entropy, so that the slider only changes how many lines are drawn.
    this.order = Uint32Array.from(graph.source.keys()).sort((a, b) => graph.entropy[a] - graph.entropy[b]);
    this.upTo = new Uint32Array(102);
    for (const e of graph.entropy) this.upTo[e + 1]++;
    for (let e = 1; e < 102; e++) this.upTo[e] += this.upTo[e - 1];
    const inDistilled = new Uint8Array(graph.source.length);
    for (const i of graph.distilled) inDistilled[i] = 1;
    this.distilled = this.order.filter((i) => inDistilled[i]);
    this.upToDistilled = new Uint32Array(102);
    for (const i of this.distilled) this.upToDistilled[graph.entropy[i] + 1]++;
    for (let e = 1; e < 102; e++) this.upToDistilled[e] += this.upToDistilled[e - 1];
    const extent = (values) => values.reduce(([low, high], v) => [Math.min(low, v), Math.max(high, v)], [0, 0]);
    this.extent = [extent(graph.x), extent(graph.y)];
    this.named = Array.from({ length: n }, (_, i) => i).filter((p) => ROLES[pages.role[p]] === "toc").sort((a, b) => hanging[b] - hanging[a]).slice(0, 400);
    this.colours();
    this.fit();
    this.listen();
    this.observer = new ResizeObserver(() => this.draw());
    this.observer.observe(this.canvas);
    this.onTheme = () => { this.colours(); this.draw(); };
    document.addEventListener("theme", this.onTheme);
  },
  leave() {
    if (this.observer) this.observer.disconnect();
    if (this.onTheme) document.removeEventListener("theme", this.onTheme);
    if (this.drawing) { const lose = this.drawing.gl.getExtension("WEBGL_lose_context"); if (lose) lose.loseContext(); this.drawing = null; }
  },
  colours() {
    const { pages, n } = report, { graph } = this;
    const tint = ["other", "toc", "article"].map((role) => rgba(colour(role), 0.95));
    const points = new Float32Array(n * 7);
    // TOC pages last: they are drawn over the others.
    const order = Array.from({ length: n }, (_, i) => i).sort((a, b) => (pages.role[a] === 1) - (pages.role[b] === 1));
    order.forEach((p, i) => points.set([graph.x[p], graph.y[p], ...tint[pages.role[p]], pages.role[p] === 1 ? 9 : 5.5], i * 7));
    this.drawing.put("points", points);
    const alpha = Math.max(0.012, Math.min(0.3, 400 / Math.max(1, graph.source.length)));
    this.drawing.put("all", this.lines(this.order, rgba(colour("soft"), alpha)));
    // The links that the places come from stand out: they are the tree, the others cross it.
    const strong = rgba(colour("toc"), 0.75), weak = rgba(colour("toc"), Math.max(0.03, Math.min(0.2, 250 / Math.max(1, this.distilled.length))));
    this.drawing.put("distilled", this.lines(this.distilled, weak, strong));
    this.drawing.put("marked", new Float32Array(0));
    this.drawing.put("near", new Float32Array(0));
  },
  lines(list, weak, strong = weak) {
    const { graph } = this, out = new Float32Array(list.length * 14);
    list.forEach((i, k) => {
      const a = graph.source[i], b = graph.target[i], tint = graph.parent[b] === a ? strong : weak;
      out.set([graph.x[a], graph.y[a], ...tint, 1, graph.x[b], graph.y[b], ...tint, 1], k * 14);
    });
    return out;
  },
  fit() {
    const box = this.canvas.getBoundingClientRect();
    const [[left, right], [low, high]] = this.extent;
    const scale = 0.92 * Math.min(box.width / Math.max(right - left, 8), box.height / Math.max(high - low, 8));
    this.view = { x: -(left + right) / 2, y: -(low + high) / 2, scale };
  },
  draw() {
    if (!this.drawing || this.isWaiting) return;
    this.isWaiting = true;
    requestAnimationFrame(() => {
      this.isWaiting = false;
      if (!this.drawing) return;
      const { gl } = this.drawing, { isDistilled, entropy } = this.state;
      const n = (isDistilled ? this.upToDistilled : this.upTo)[entropy + 1];
      this.drawing.draw(this.view, [[isDistilled ? "distilled" : "all", gl.LINES, n * 2], ["near", gl.LINES], ["points", gl.POINTS], ["marked", gl.POINTS]]);
      const total = isDistilled ? this.distilled.length : this.graph.n_links;
      this.count.textContent = `${number(n)} of ${plural(total, "link")}`;
      this.write();
    });
  },
  screen(p) {
    const box = this.canvas.getBoundingClientRect(), { x, y, scale } = this.view;
    return [(this.graph.x[p] + x) * scale + box.width / 2, box.height / 2 - (this.graph.y[p] + y) * scale];
  },
  write() {
    const ratio = Math.min(devicePixelRatio || 1, 2), box = this.canvas.getBoundingClientRect();
    const canvas = this.labels;
    canvas.width = box.width * ratio;
    canvas.height = box.height * ratio;
    const c = canvas.getContext("2d");
    c.scale(ratio, ratio);
    c.font = "600 12px system-ui, sans-serif";
    c.lineWidth = 3.5;
    c.lineJoin = "round";
    c.strokeStyle = colour("paper");
    c.fillStyle = colour("ink");
    const taken = [];
    for (const p of [this.graph.home, ...this.named]) {
      if (taken.length >= 26) break;
      const [x, y] = this.screen(p);
      if (x < 0 || y < 10 || x > box.width || y > box.height) continue;
      const name = pageName(report.pages, p), text = name.length > 30 ? `${name.slice(0, 29)}…` : name;
      const width = c.measureText(text).width, at = [x + 12, y - 9, x + 12 + width, y + 9];
      if (at[2] > box.width || taken.some((t) => at[0] < t[2] && at[2] > t[0] && at[1] < t[3] && at[3] > t[1])) continue;
      taken.push(at);
      c.strokeText(text, x + 12, y + 4);
      c.fillText(text, x + 12, y + 4);
    }
  },
  nearest(event) {
    const box = this.canvas.getBoundingClientRect(), { x, y, scale } = this.view;
    const px = (event.clientX - box.left - box.width / 2) / scale - x, py = -(event.clientY - box.top - box.height / 2) / scale - y;
    let best = -1, least = (14 / scale) ** 2;
    for (let p = 0; p < report.n; p++) {
      const d = (this.graph.x[p] - px) ** 2 + (this.graph.y[p] - py) ** 2;
      if (d < least) { least = d; best = p; }
    }
    return best;
  },
  listen() {
    const el = this.canvas, held = new Map();
    let moved = 0;
    el.addEventListener("pointerdown", (e) => { el.setPointerCapture(e.pointerId); held.set(e.pointerId, e); moved = 0; });
    el.addEventListener("pointermove", (e) => {
      if (!held.has(e.pointerId)) { this.point(this.nearest(e), e); return; }
      const before = held.get(e.pointerId), dx = e.clientX - before.clientX, dy = e.clientY - before.clientY;
      moved += Math.abs(dx) + Math.abs(dy);
      if (held.size === 2) {
        const other = [...held.values()].find((h2) => h2.pointerId !== e.pointerId);
        const was = Math.hypot(before.clientX - other.clientX, before.clientY - other.clientY), is = Math.hypot(e.clientX - other.clientX, e.clientY - other.clientY);
        this.zoom(is / Math.max(was, 1), e);
      } else { this.view.x += dx / this.view.scale; this.view.y -= dy / this.view.scale; }
      held.set(e.pointerId, e);
      this.draw();
    });
    const up = (e) => {
      held.delete(e.pointerId);
      if (e.type === "pointerup" && moved < 5) { const p = this.nearest(e); if (p >= 0) location.hash = `#/page/${p}`; }
    };
    el.addEventListener("pointerup", up);
    el.addEventListener("pointercancel", up);
    el.addEventListener("pointerleave", () => this.point(-1));
    el.addEventListener("wheel", (e) => { e.preventDefault(); this.zoom(Math.exp(-e.deltaY * 0.0015), e); this.draw(); }, { passive: false });
    el.addEventListener("dblclick", () => { this.fit(); this.draw(); });
  },
  zoom(by, event) {
    const box = this.canvas.getBoundingClientRect(), v = this.view, scale = Math.min(400, Math.max(0.2, v.scale * by));
    const px = event ? event.clientX - box.left - box.width / 2 : 0, py = event ? -(event.clientY - box.top - box.height / 2) : 0;
    v.x += px / scale - px / v.scale;
    v.y += py / scale - py / v.scale;
    v.scale = scale;
  },
  point(p, event) {
    if (p === this.pointed) return;
    this.pointed = p;
    this.canvas.style.cursor = p >= 0 ? "pointer" : "grab";
    const near = [], { graph } = this;
    if (p >= 0) {
      const list = this.state.isDistilled ? this.distilled : this.order;
      for (const i of list) if (graph.entropy[i] <= this.state.entropy && (graph.source[i] === p || graph.target[i] === p)) near.push(i);
      const [x, y] = this.screen(p), role = ROLES[report.pages.role[p]];
      const nOut = near.filter((i) => graph.source[i] === p).length;
      this.tip.replaceChildren(h("b", { dir: "auto" }, pageName(report.pages, p)), h("span", { class: "small url" }, address(report.pages.url[p])), h("span", { class: "small" }, `${ROLE_NAMES[role]} · ${plural(nOut, "link")} out, ${number(near.length - nOut)} in`));
      this.tip.style.left = `${Math.min(x + 14, this.canvas.clientWidth - 270)}px`;
      this.tip.style.top = `${Math.min(y + 10, this.canvas.clientHeight - 90)}px`;
    }
    this.tip.hidden = p < 0;
    this.drawing.put("near", this.lines(Uint32Array.from(near.slice(0, 5000)), rgba(colour("accent"), 0.8)));
    this.draw();
  },
  mark(text) {
    const words = text.toLowerCase().split(/\s+/).filter(Boolean), lower = searchable(), found = [];
    if (words.length) for (let p = 0; p < report.n; p++) if (words.every((w) => lower[p].includes(w))) found.push(p);
    const tint = rgba(colour("accent"), 1), out = new Float32Array(found.length * 7);
    found.forEach((p, k) => out.set([this.graph.x[p], this.graph.y[p], ...tint, 15], k * 7));
    this.drawing.put("marked", out);
    this.found = found;
    say(words.length ? `${plural(found.length, "page")} found` : "");
    this.draw();
  },
  key(key) {
    const move = { ArrowLeft: [1, 0], ArrowRight: [-1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[key];
    if (move) { this.view.x += (move[0] * 60) / this.view.scale; this.view.y += (move[1] * 60) / this.view.scale; }
    else if (key === "+" || key === "=") this.zoom(1.3);
    else if (key === "-") this.zoom(1 / 1.3);
    else if (key === "0") this.fit();
    else return false;
    this.draw();
    return true;
  },
};
