/* What the C bodies and the Python bodies of the kernels share, written once: codes, families and columns.
 *
 * C expands these lists into enums and structs; `columns.py` reads them as text. The order of a list is the order of the
 * columns. A new column costs its line here, its computation in C and its computation in `reference/`; a column that
 * either side does not write is an error at the first block.
 *
 * Lists of names: X(name); in a tag or attribute '_' stands for '-'. Columns of a matrix: ONE(name), or
 * MANY(name, how many, "names, {a,b} and {0..2} written out from left to right, {LIST} for the names of a list"). Columns of a
 * table: X(name, type). Numbers: X(name, value).
 */
#ifndef SITEGRAIN_COLUMNS_H
#define SITEGRAIN_COLUMNS_H

/* ---------------------------------------------------------------- numbers */

#define NUMBERS(X) \
    /* So many <path/> of SVG are taken for closed; in HTML they would nest, and only the parser knows. 3,000 nested tags more \
     * cost Lexbor about 15 ms. */ \
    X(FREE_SELF_CLOSED, 3000) \
    /* So many <rt>, <optgroup> or <td> in SVG are taken for closed by the next of their kind, likewise. */ \
    X(FREE_IMPLIED, 3000) \
    /* Bytes that are kept of an attribute's value (data: addresses are no evidence), and that are read of a name. */ \
    X(MAX_VALUE_BYTES, 4096) X(MAX_NAME_BYTES, 200) X(MAX_MARKS, 64) \
    /* Longer blocks are prose: their words are no cues. */ \
    X(CUE_CHARS, 80) \
    /* Texts are told apart by their first characters and their length; the last word is looked for among the last ones. */ \
    X(TEXT_KEY_CHARS, 120) X(TAIL_CHARS, 40) \
    /* Words of a text are read up to so many characters and words; of short texts also pairs and the whole. */ \
    X(MAX_CHARS, 400) X(MAX_WORDS, 24) X(PAIR_WORDS, 12) X(WHOLE_WORDS, 5) \
    /* Elements above a block whose names count, in three groups: 2, the 3 above those, the 7 above those. */ \
    X(NAME_LEVEL_0, 2) X(NAME_LEVEL_1, 5) X(NAME_LEVEL_2, 12) \
    /* Of kept blocks with the same text one stays; a shorter text may well come twice: a refrain, a label, a signature. */ \
    X(COPY_WORDS, 12) \
    /* Links to headings that make a list of contents, on one page. Set beforehand: one or two are references. */ \
    X(MIN_CONTENTS, 3) \
    /* A word is common that stands in so many blocks and in a quarter of those of prose; a line with a number and no more words may \
     * be a date; what a block that is no prose costs a run of prose. */ \
    X(COMMON_WORD, 3) X(DATE_WORDS, 10) X(RUN_COST, 8) \
    /* Ancestors of a block that are looked at, and those that the site is asked about. */ \
    X(LEVELS, 6) X(SITE_LEVELS, 4)

/* ---------------------------------------------------------------- codes */

/* Codes of tags from 2 on: 0 is a text node, 1 any other tag. */
#define TAGS(X) \
    X(a) X(abbr) X(acronym) X(address) X(applet) X(area) X(article) X(aside) X(audio) X(b) X(base) X(basefont) X(bdi) X(bdo) \
    X(big) X(blockquote) X(body) X(br) X(button) X(canvas) X(caption) X(center) X(cite) X(code) X(col) X(colgroup) X(data) \
    X(datalist) X(dd) X(del) X(details) X(dfn) X(dialog) X(dir) X(div) X(dl) X(dt) X(em) X(embed) X(fieldset) X(figcaption) \
    X(figure) X(font) X(footer) X(form) X(frame) X(frameset) X(g) X(h1) X(h2) X(h3) X(h4) X(h5) X(h6) X(head) X(header) \
    X(hgroup) X(hr) X(html) X(i) X(iframe) X(image) X(img) X(input) X(ins) X(kbd) X(label) X(legend) X(li) X(link) X(main) \
    X(map) X(mark) X(marquee) X(math) X(menu) X(meta) X(meter) X(nav) X(nobr) X(noframes) X(noscript) X(object) X(ol) \
    X(optgroup) X(option) X(output) X(p) X(param) X(path) X(picture) X(plaintext) X(pre) X(progress) X(q) X(rp) X(rt) X(ruby) \
    X(s) X(samp) X(script) X(search) X(section) X(select) X(slot) X(small) X(source) X(span) X(strike) X(strong) X(style) \
    X(sub) X(summary) X(sup) X(svg) X(table) X(tbody) X(td) X(template) X(textarea) X(tfoot) X(th) X(thead) X(time) X(title) \
    X(tr) X(track) X(tt) X(u) X(ul) X(use) X(var) X(video) X(wbr) X(xmp) X(noembed)

/* Codes of the attributes that are kept, from 1 on: 0 is the name of an unknown tag. */
#define ATTRIBUTES(X) \
    X(align) X(alt) X(aria_hidden) X(aria_label) X(bgcolor) X(border) X(cellpadding) X(cellspacing) X(class) X(colspan) \
    X(color) X(content) X(data_lang) X(data_language) X(data_lazy_src) X(data_original) X(data_src) X(data_srcset) \
    X(datetime) X(dir) X(encoding) X(face) X(height) X(hidden) X(href) X(hreflang) X(id) \
    X(itemprop) X(itemtype) X(lang) X(name) X(property) X(rel) X(role) X(rowspan) X(size) X(src) X(srcset) X(start) X(style) \
    X(title) X(type) X(valign) X(value) X(width)

/* Bits of a tag for the reader of pages, and of a row. */
#define TAG_BITS(X) X(VOID) X(RAW_TEXT) X(NO_TEXT) X(UNCOUNTED) X(SVG) X(TEXT_ONLY) X(CODE) X(FORMATTING)
/* What the guard had to cut: tags nested too deep, all after too many rows, marks that are opened again and again. */
#define CUTS(X) X(DEEP) X(ROWS) X(MARKS)
#define ROW_BITS(X) X(SPACE_BEFORE) X(HIDDEN) X(ARIA_HIDDEN)
/* Bits of a character. */
#define CHAR_BITS(X) X(WORD) X(UPPER) X(DIGIT) X(STOP) X(COMMA) X(WIDE) X(SPACE) X(SYMBOL)
/* What stands before a text, from the weakest; a tag's break with the two bits after it. */
#define BREAKS(X) X(INLINE) X(CELL) X(LINE) X(BLANK) X(SPACED)
#define BREAK_BITS(X) X(LEVEL_1) X(LEVEL_2) X(LEVEL_4) X(APART) X(PRE)
/* What of a page is looked at once more before its text is written. */
#define TEXT_MARKS(X) X(SIGNS) X(CODE)
/* Bits of a tag for who writes pages, and what a tag is written as within a line. */
#define RENDER_BITS(X) \
    X(BLOCK) X(WRITTEN) X(PRE) X(LIST) X(CELL) X(OF_TABLE) X(OWN_SINK) X(HEADING) X(LEAF) X(LAYOUT) X(PICTURES) X(HOLDS_TEXT)
#define RENDER_MARKS(X) X(none) X(a) X(strong) X(em) X(code) X(del) X(sub) X(sup) X(q)

/* Steps that mend what was decided: what there is to look at. */
#define MENDS(X) X(OPTIONS) X(ARTICLES) X(SUBLISTS) X(REMNANTS) X(ANNOUNCED) X(HEADINGS) X(POSTS) X(ADDRESSES) X(WHOLES) X(CONTENTS) X(TURNS) X(DIALOGS) X(BELOW) X(VALUES) X(FOOTNOTES) X(TERMS) X(NAMED) X(CONSENTS) X(FALLBACKS) X(HEADS) X(FORMULAS)
/* The same of those that leave out single lines. */
#define LINES(X) X(ECHOES) X(SUBJECTS) X(LABELS) X(LETTERS) X(TOOLS) X(SIGNATURES) X(FILES) X(BYLINES) X(CODE) X(EDITS) X(TURN_ROWS) X(OPENINGS) X(CAPTIONS) X(NOTICES) X(BARE_LEADS) X(ENCLOSED) X(CODE_LABELS)

/* What is told of strings. */
#define STRING_BITS(X) X(IS_ASCII) X(HAS_TWO_DIGITS) X(IS_DECIMAL) X(ENDS_WITH_STOP)

/* ---------------------------------------------------------------- tables that kernels read and write */

#define SCANNED(X) \
    X(tag, int16) X(parent, int32) X(end, int32) X(depth, int32) X(text_start, int32) X(text_end, int32) X(flags, uint8) \
    X(attr_node, int32) X(attr_name, int16) X(attr_value, int32) X(value_end, int32)
#define ROWS(X) \
    X(tag, int16) X(parent, int32) X(end, int32) X(depth, int32) X(page, int32) X(text_start, int32) X(text_end, int32) \
    X(flags, uint8)
#define ATTRS(X) X(node, int32) X(name, int16) X(value, int32)
#define BLOCKS(X) X(box, int32) X(page, int32) X(first, int32) X(last, int32) X(text_start, int32) X(text_end, int32)
#define TREES(X) \
    X(feature, int32) X(threshold, float32) X(left, int32) X(right, int32) X(default_left, uint8) X(value, float64)
#define PATHS(X) \
    X(key, uint64) X(pages, float64) X(blocks, float64) X(distinct, float64) X(words, float64) X(links, float64) X(score, float64)
#define TEXT_ROWS(X) X(tag, int16) X(end, int32) X(flags, uint8) X(text_start, int32) X(text_end, int32) X(kept, uint8)
#define RENDER_ROWS(X) \
    X(tag, int16) X(parent, int32) X(end, int32) X(flags, uint8) X(text_start, int32) X(text_end, int32)
#define COUNTS(X) X(key, uint64) X(times, float64)
/* What is known of a tag: its group (255: none), what it is counted as on a page, what box it makes, and its place + 1 among the
 * tags that subtrees are asked for. */
#define TAG_KINDS(X) X(group, uint8) X(counted, uint8) X(box, uint8) X(held, uint8)

/* ---------------------------------------------------------------- families */

#define GROUPS(X) \
    X(nav) X(header) X(footer) X(aside) X(article) X(main) X(form) X(table) X(list) X(section) X(figure) X(button) X(pre) \
    X(quote) X(anchor) X(dialog) X(head) X(noscript) X(heading) X(paragraph) X(svg)
#define CLASSES(X) \
    X(comment) X(share) X(nav) X(foot) X(side) X(related) X(ad) X(main) X(meta) X(popup) X(product) X(forum) X(head) X(list) \
    X(hidden) X(code) X(search) X(doc)
#define CUES(X) X(comment) X(related) X(share) X(legal) X(login) X(meta) X(shop) X(nav) X(month)
#define COUNTED(X) \
    X(p) X(li) X(article) X(main) X(h1) X(h2) X(table) X(tr) X(form) X(img) X(pre) X(time) X(input)
#define HELD(X) X(p) X(li) X(a) X(img)
#define URLS(X) X(forum) X(product) X(doc) X(list) X(news) X(service)
#define TYPES(X) \
    X(article) X(product) X(forum) X(qa) X(list) X(recipe) X(organization) X(webpage) X(howto) X(event)

/* ---------------------------------------------------------------- columns of blocks */

/* What the page says of a block. */
#define EVIDENCE(ONE, MANY) \
    /* the block itself */ \
    ONE(words) ONE(visible) ONE(link_density) ONE(linked) ONE(stops) ONE(commas) ONE(stop_rate) ONE(comma_rate) \
    ONE(upper_rate) ONE(digit_rate) ONE(symbol_rate) ONE(wide_rate) ONE(word_length) ONE(ends_with_stop) ONE(starts_upper) \
    ONE(text_nodes) ONE(tag) ONE(parent_tag) ONE(grandparent_tag) ONE(first_parent_tag) ONE(depth) \
    /* how many elements around it are of a group, hidden, marked as text, named like a family */ \
    MANY(in_group, N_GROUPS, "in_{GROUPS}") ONE(is_hidden) ONE(is_aria_hidden) ONE(in_body_prop) \
    MANY(in_class, N_CLASSES, "class_{CLASSES}") \
    MANY(near_class, N_CLASSES, "near_{CLASSES}") MANY(cue, N_CUES, "cue_{CUES}") \
    /* its place on the page */ \
    ONE(order) ONE(order_share) ONE(text_before) ONE(sentences_before) ONE(since_heading) ONE(heading_cues) ONE(heading_tag) \
    ONE(since_h1) ONE(since_comment) ONE(since_related) \
    /* its neighbours */ \
    MANY(three_before, 1, "words_-3") MANY(two_before, 4, "{words,links,stops,sentence}_-2") \
    MANY(one_before, 5, "{words,links,stops,sentence,tag}_-1") MANY(one_after, 5, "{words,links,stops,sentence,tag}_+1") \
    MANY(two_after, 4, "{words,links,stops,sentence}_+2") MANY(three_after, 1, "words_+3") \
    MANY(within, 4, "{prose_within_4,text_within_4,prose_within_12,text_within_12}") \
    MANY(same_box_before, 1, "same_box_as_-1") \
    /* its ancestors, each with more text than the one before */ \
    MANY(up_text, 6, "up{0..5}_text") MANY(up_share, 6, "up{0..5}_share") MANY(up_links, 6, "up{0..5}_links") \
    MANY(up_prose, 6, "up{0..5}_prose") MANY(up_prose_share, 6, "up{0..5}_prose_share") MANY(up_blocks, 6, "up{0..5}_blocks") \
    MANY(up_block_words, 6, "up{0..5}_block_words") MANY(up_tag, 6, "up{0..5}_tag") MANY(up_like, 6, "up{0..5}_like") \
    MANY(up_posts, 6, "up{0..5}_posts") MANY(up_posts_share, 6, "up{0..5}_posts_share") \
    MANY(up_p, 5, "up{1..5}_p") MANY(up_li, 5, "up{1..5}_li") MANY(up_a, 5, "up{1..5}_a") MANY(up_img, 5, "up{1..5}_img") \
    MANY(up_place, 5, "up{1..5}_place") \
    ONE(comment_named_share) ONE(comment_after_share) \
    /* the smallest subtree that holds most of the page's prose */ \
    MANY(most_prose, 9, "{in_prose_0.4,prose_0.4_share,prose_0.4_depth,in_prose_0.7,prose_0.7_share,prose_0.7_depth,in_prose_0.95,prose_0.95_share,prose_0.95_depth}") \
    ONE(words_to_longest) \
    /* blocks that are like it */ \
    MANY(alike, 14, "{here,kin}_{blocks,share,words,links,distinct,prose,spread}") \
    /* the page */ \
    ONE(page_named) ONE(page_words) ONE(page_blocks) ONE(page_links) ONE(page_prose) ONE(page_longest) ONE(page_sentences) \
    ONE(page_block_words) MANY(page_counted, N_COUNTED, "page_{COUNTED}") MANY(url, N_URLS, "url_{URLS}") \
    MANY(ld, N_TYPES, "ld_{TYPES}") \
    ONE(title_match) \
    /* what the page is about (its title, description and first heading), other copies of the text, the longest run of prose */ \
    ONE(about) MANY(about_up, 3, "about_up{1..3}") ONE(heading_about) ONE(heading_links) ONE(copies_before) ONE(copies_after) \
    MANY(up_dates, 3, "up{1..3}_dates") ONE(h1s_before) MANY(run, 3, "{in_run,run_share,from_run}")

/* What the site says of a block. */
#define SITE(ONE, MANY) \
    ONE(site_pages) ONE(site_same) ONE(site_masked) ONE(site_same_count) \
    MANY(at_path, 6, "path_{pages,same,distinct,words,links,per_page}") \
    MANY(at_tagpath, 6, "tagpath_{pages,same,distinct,words,links,per_page}") \
    MANY(new_up, 3, "new_up{1..3}") ONE(new_within) MANY(masked_around, 4, "masked_{-2,-1,+1,+2}") \
    ONE(path_first_word) ONE(path_last_word) ONE(rare_words) ONE(common_words) \
    MANY(new_share_up, 4, "new_share_up{0..3}") MANY(in_new, 2, "in_new_{0.5,0.85}") ONE(new_before) ONE(page_new) \
    MANY(cover_up, 8, "{cover_up0,cover_rel_up0,cover_up1,cover_rel_up1,cover_up2,cover_rel_up2,cover_up3,cover_rel_up3}")

/* First scores of a block, of what is around it, and of its path elsewhere. */
#define STAGE(ONE, MANY) \
    ONE(p) MANY(p_around, 6, "p_{-3,-2,-1,+1,+2,+3}") ONE(p_within) ONE(p_within_far) MANY(p_up, 6, "p_up{0..5}") \
    MANY(p_alike, 4, "p_{here,kin}{,_others}") \
    ONE(p_page) ONE(p_page_words) ONE(p_page_max) ONE(p_rank) ONE(p_words_share) ONE(p_before) ONE(p_after) ONE(p_path) \
    ONE(p_tagpath)

/* What the words of a block's text weigh, and those of the names of the elements above it. */
#define TEXT_WEIGHTS(ONE, MANY) \
    MANY(lex, 3, "lex{,_min,_max}") ONE(lex_heading) ONE(lex_heading_min) MANY(lex_around, 2, "lex_{-1,+1}")
#define NAME_WEIGHTS(ONE, MANY) MANY(name, 9, "name{0..2}{,_min,_max}")

#endif
