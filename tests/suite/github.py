"""What GitHub makes of texts: the commands that its runner finds in the output of a step,
and a comment as GitHub renders it, by cmark-gfm with GitHub's extensions."""

import re
from html.parser import HTMLParser

from helper import call

# What the comparison of texts in .NET ignores.
IGNORED = re.compile("[\u00ad\u034f\u061c\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f"
                     "\ufe00-\ufe0f\ufeff\U000e0000-\U000e0fff]")
EXTENSIONS = ("table", "autolink", "strikethrough", "tagfilter", "tasklist")
# What a report is made of.
ELEMENTS = {"h3", "h4", "p", "ul", "li", "strong", "code", "pre", "table", "thead", "tbody", "tr",
            "th", "td", "details", "summary"}
ATTRIBUTES = {("code", "class", "language-text"), ("td", "align", "right"), ("td", "align", "left"),
              ("th", "align", "right"), ("th", "align", "left")}


def commands(text):
    """Returns the lines that a runner obeys."""
    found = []
    for line in re.split("\r\n|\n|\r", text):
        bare = IGNORED.sub("", line).lstrip()
        if bare.startswith("::") and "::" in bare[2:] or re.search(r"##\[[^\]]*\]", bare):
            found.append(line)
    return found


class Page(HTMLParser):
    """What cmark-gfm makes of a Markdown text (bytes): its elements and attributes that
    no report has, the text, the links' addresses, and the tables as lists of rows of
    texts of cells."""

    def __init__(self, markdown, own_links=()):
        super().__init__()
        self.strange, self.tables, self.text = [], [], ""
        self.own_links = own_links  # addresses that the text may link to
        options = [word for name in EXTENSIONS for word in ("-e", name)]
        html = call(["cmark-gfm", "--unsafe", *options], markdown).stdout
        self.feed(html.decode())
        self.close()

    def handle_starttag(self, tag, attrs):
        if tag == "a" and dict(attrs).get("href") in self.own_links:
            return
        if tag not in ELEMENTS and not attrs:
            self.strange.append(tag)
        self.strange += [f"{tag} {name}" for name, value in attrs
                         if (tag, name, value) not in ATTRIBUTES]
        if tag == "table":
            self.tables.append([])
        elif tag == "tr":
            self.tables[-1].append([])
        elif tag in ("th", "td"):
            self.tables[-1][-1].append("")

    def handle_data(self, data):
        self.text += data
        if self.tables and self.tables[-1] and self.tables[-1][-1]:
            self.tables[-1][-1][-1] += data
