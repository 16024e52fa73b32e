"""Constructs that do something in a page as it came, and what to look for when one is shown."""

from __future__ import annotations

from tests.browsing import Watched

EVIL = "http://evil.example"
CONSTRUCTS = {
    "script": "<script>alert(1)</script>",
    "script by address": f"<script src={EVIL}/a.js></script>",
    "handler": "<p onclick=alert(1) onmouseover=alert(1) onfocus=alert(1) tabindex=0 autofocus>Touch me, please do</p>",
    "image handler": f"<img src={EVIL}/x.png onerror=alert(1) alt='\"><script>alert(1)</script>'>",
    "image set": f"<picture><source srcset={EVIL}/a.png><img srcset='{EVIL}/b.png 2x' data-src={EVIL}/c.png></picture>",
    "form": f"<form action={EVIL}/f id=f><input name=a value=b autofocus onfocus=alert(1)><button>Send it away</button></form>",
    "refresh": f"<meta http-equiv=refresh content='0;url={EVIL}/r'>",
    "javascript link": "<a href='javascript:alert(1)' target=_top>A link with a script in it</a>",
    "data link": "<a href='data:text/html,<script>alert(1)</script>' target=_blank>A link with data in it</a>",
    "base": f"<base href={EVIL}/ target=_top><a href=x>A link that goes elsewhere</a>",
    "style sheet": f"<link rel=stylesheet href={EVIL}/s.css><style>@import '{EVIL}/i.css'; body{{background:url({EVIL}/bg.png)}}</style>",
    "inline style": f"<p style='background:url({EVIL}/p.png);position:fixed;inset:0;z-index:99999'>Over everything there is</p>",
    "font": f"<style>@font-face{{font-family:x;src:url({EVIL}/f.woff)}}p{{font-family:x}}</style><p>In another font</p>",
    "frame": f"<iframe src={EVIL}/frame srcdoc='<script>parent.alert(1)</script>'></iframe>",
    "object": f"<object data={EVIL}/o></object><embed src={EVIL}/e><applet code={EVIL}/a></applet>",
    "svg": f"<svg onload=alert(1)><script>alert(1)</script><use href={EVIL}/u.svg#a /><image href={EVIL}/i.png /><a href=javascript:alert(1)><text>In a picture</text></a></svg>",
    "media": f"<video src={EVIL}/v.mp4 poster={EVIL}/v.png autoplay></video><audio src={EVIL}/a.mp3 autoplay></audio><track src={EVIL}/t>",
    "prefetch": f"<link rel=preload href={EVIL}/l as=script><link rel=dns-prefetch href={EVIL}><link rel=icon href={EVIL}/i.ico>",
    "template": "<template><script>alert(1)</script></template><noscript><p title='</noscript><script>alert(1)</script>'>x</p></noscript>",
    "broken out": "<title></title><script>alert(1)</script></title><textarea></textarea><script>alert(1)</script></textarea>",
    "math": "<math><mtext><table><mglyph><style><img src onerror=alert(1)></style></mglyph></table></mtext></math>",
    "text as markup": "<p>&lt;script&gt;alert(1)&lt;/script&gt; &lt;img src=x onerror=alert(1)&gt; &amp;lt;b&amp;gt;</p>",
    "attribute": f"<p class='\"><script>alert(1)</script>' id='x\" onclick=alert(1)' dir='\"><img src={EVIL}/d>'>Names that bite</p>",
    "table": "<table><tr><td colspan='2\" onclick=alert(1)' rowspan=99999999>cell of a table</td></tr></table>",
    "end of script": "<p>sitegrain(\"x\",\"</script><script>alert(1)</script>\") --&gt; <!-- --!><script>alert(1)</script></p>",
    "popup": "<script>open('/x'); print(); prompt('x')</script><a href=/x target=_blank ping=/ping>Opens a window for you</a>",
    "title": "<title>&lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt;&lt;img src=x onerror=alert(1)&gt;</title><p>Title with a script",
}  # fmt: skip


def look_around(watched: Watched) -> None:
    """Whoever looks at a page moves over it and clicks about."""
    page = watched.page
    assert "quiet paragraph" in watched.frame.inner_text(".page")
    for at in ((150, 300), (300, 420), (500, 500)):
        page.mouse.move(*at)
        page.mouse.click(*at)
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.click("text=Markdown")
    page.wait_for_timeout(100)


def nothing_got_in(watched: Watched, is_form: bool = False) -> None:
    """The frame holds nothing but what we write; with `is_form`, the form of a label too."""
    frame = watched.page.wait_for_selector("iframe").content_frame()
    sandbox = watched.page.locator("iframe").get_attribute("sandbox")
    assert sandbox == ("allow-forms" if is_form else "")
    allowed = {"http-equiv", "name", "content", "charset", "class", "id", "dir", "lang", "colspan", "rowspan", "href",
               "data-b", "data-w", "aria-label", "title"}  # fmt: skip
    found = frame.evaluate(
        "[...document.querySelectorAll('*')].flatMap(e => [...e.attributes].map(a => [a.name, a.value, e.tagName]))"
    )
    ours = {"type", "value", "form", "checked", "for", "method", "action"} if is_form else set()
    assert {attribute for attribute, _, _ in found} <= allowed | ours
    assert all(value[0] == "#" for attribute, value, _ in found if attribute == "href")
    tags = frame.evaluate("[...document.querySelectorAll('*')].map(e => e.tagName)")
    bad = {"SCRIPT", "IMG", "IFRAME", "FORM", "INPUT", "BUTTON", "LINK", "BASE", "OBJECT", "EMBED", "VIDEO"}
    if is_form:
        bad -= {"FORM", "INPUT", "BUTTON"}
        assert (tags.count("FORM"), tags.count("BUTTON")) == (1, 3)
        assert {value for attribute, value, _ in found if attribute == "type"} <= {"checkbox"}
        actions = [value for attribute, value, _ in found if attribute == "action"]
        assert len(actions) == 1
        assert actions[0].startswith(watched.page.url.split("#")[0] + "label/")
    assert not set(tags) & bad
