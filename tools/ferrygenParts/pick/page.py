"""The page, in one file: what it needs is inside of it, and its policy lets nothing else in."""
import base64
import hashlib
import json
import os

FOLDER = os.path.dirname(os.path.realpath(__file__))


def part(name):
    with open(os.path.join(FOLDER, name), encoding="utf-8") as file:
        return file.read()


def hashOf(text):
    return "'sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() + "'"


def pageText(data):
    """data: the data for the page's script; None when the script asks the server."""
    style, script = part("page.css"), part("selection.js") + part("page.js")
    reach = "'self'" if data is None else "'none'"
    policy = (f"default-src 'none'; img-src data:; script-src {hashOf(script)}; style-src {hashOf(style)}; connect-src {reach}; base-uri 'none'; "
              "form-action 'none'")
    # The browser must not take a '<' in a name or comment for the end of the script.
    told = json.dumps(data, ensure_ascii=True).replace("<", "\\u003c")
    return part("page.html").replace("@policy@", policy).replace("@style@", style).replace("@script@", script).replace("@data@", told)
