// The pages of a file of bodies: columns become elements here, in a document that runs nothing. Every element is one of
// the shapes that the file names, made by createElement, and every text goes in as text.
"use strict";

const SAFE = new Set(("u div span abbr article aside b bdi bdo blockquote br caption cite code dd del dfn dl dt em figcaption figure footer h1 h2 h3 h4 h5 h6 " +
  "header hr i ins kbd li main mark nav ol p pre q rp rt ruby s samp section small strike strong sub summary sup table tbody td tfoot th thead time tr tt ul var").split(" "));
const ATTRIBUTES = { dir: /^(rtl|ltr|auto)$/, colspan: /^\d{1,3}$/, rowspan: /^\d{1,3}$/ };

// Where each page's part of a column begins.
function offsets(counts) {
  const out = new Uint32Array(counts.length + 1);
  counts.forEach((n, i) => { out[i + 1] = out[i] + n; });
  return out;
}

class BodyFile {
  constructor(value) {
    this.value = value;
    const { n_rows, n_texts, n_blocks, shape, length } = value;
    this.rowAt = offsets(n_rows);
    this.textAt = offsets(n_texts);
    this.blockAt = offsets(n_blocks);
    // Marks and images are numbered over the whole file, and so are characters.
    this.markAt = new Uint32Array(n_rows.length + 1);
    this.imageAt = new Uint32Array(n_rows.length + 1);
    const image = value.shapes.indexOf("img");
    for (let page = 0, marks = 0, images = 0; page < n_rows.length; page++) {
      for (let row = this.rowAt[page]; row < this.rowAt[page + 1]; row++) {
        if (shape[row] >= value.marked) marks++;
        if (shape[row] % value.marked === image) images++;
      }
      this.markAt[page + 1] = marks;
      this.imageAt[page + 1] = images;
    }
    this.characterAt = offsets(length);
  }

  page(number) {
    const { value } = this, at = number - value.first, low = this.blockAt[at], high = this.blockAt[at + 1];
    const own = (column) => Array.from(column.subarray(low, high));
    const said = (name) => (value[name] ? own(value[name]).map((code) => value.words[name][code]) : Array(high - low).fill(""));
    const facts = {};
    for (const [name, column] of Object.entries(value)) {
      if (name.startsWith("fact ")) facts[name.slice(5)] = own(column).map((v) => (v === -(2 ** 31) ? null : v / 100));
    }
    return {
      file: this, at, number, facts, score: own(value.score).map((v) => v / 100), kept: own(value.kept), kind: said("kind"), reason: said("reason"), path: said("path"),
      markdown: value.markdown[at], other: value.other ? own(value.other) : null,
    };
  }

  // The elements of a page, below one of a document of ours; a block's first element has its number in data-b.
  build(at, top) {
    const { value } = this, doc = top.ownerDocument, { shapes, marked, shape, depth, space, mark, labels } = value;
    const stack = [top], given = this.attributes();
    let text = this.textAt[at], nextMark = this.markAt[at], image = this.imageAt[at];
    for (let row = this.rowAt[at]; row < this.rowAt[at + 1]; row++) {
      const name = shapes[shape[row] % marked], block = shape[row] >= marked ? mark[nextMark++] : -1;
      if (name === "#unseen") { text++; continue; }
      if (stack.length > depth[row] + 1) stack.length = depth[row] + 1;
      const parent = stack[stack.length - 1];
      if (space[row >> 3] & (1 << (row & 7))) parent.append(" ");
      let el;
      if (name === "#text") {
        const piece = value.text.slice(this.characterAt[text], this.characterAt[text + 1]);
        text++;
        if (block < 0) { parent.append(piece); continue; }
        el = doc.createElement("span");
        el.append(piece);
      } else if (name === "img") {
        el = doc.createElement("span");
        el.className = "i";
        el.title = labels[image++];
      } else {
        el = doc.createElement(SAFE.has(name) ? name : "span");
        // Links side by side without a space between them stand apart by style in the page as it was.
        if (name === "u" && parent.lastChild && parent.lastChild.nodeName === "U") parent.append(" ");
        for (const [key, v] of given.get(row) || []) if (ATTRIBUTES[key] && ATTRIBUTES[key].test(v)) el.setAttribute(key, v);
        stack.push(el);
      }
      if (block >= 0) el.dataset.b = block;
      parent.append(el);
    }
  }

  attributes() {
    if (!this.given) {
      this.given = new Map();
      for (const [row, name, v] of this.value.attributes) this.given.set(row, [...(this.given.get(row) || []), [name, v]]);
    }
    return this.given;
  }
}

// A page's data, from the file that holds it.
async function loadPage(number, method) {
  const { starts } = report.site;
  if (!starts.length) throw new Error("this report holds no page bodies: mine the site again, or say where its pages are");
  let low = 0, high = starts.length;
  while (high - low > 1) { const middle = (low + high) >> 1; if (starts[middle] <= number) low = middle; else high = middle; }
  const value = await load(`body-${starts[low]}${method ? `-${method}` : ""}`);
  if (!value.file) value.file = new BodyFile(value);
  return value.file.page(number);
}
