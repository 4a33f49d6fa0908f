"""Puts changed views into the text of a selection, and leaves alone what did not change: comments too, but for those inside of a value that
is written anew."""
import json
import re
import tomllib
from dataclasses import dataclass

COLUMNS = 140
KEYS = ("default", "send", "skip", "inside", "length", "one_of", "pointer", "memory")
TOKEN = re.compile(r'"""(?:[^\\]|\\.)*?"""|\'\'\'.*?\'\'\'|"(?:[^"\\\n]|\\.)*"|\'[^\'\n]*\'|#[^\n]*|[\[\]{}\n=]|[^\[\]{}\n="\'#]+|.', re.DOTALL)


class NotEditable(Exception):
    """The form of the text does not allow a change of one view alone."""


@dataclass
class Statement:
    """`key = value`, or `[header]` with key None, in whole lines."""
    table: str       # the header of the table, without brackets and spaces
    key: str
    begin: int
    end: int
    comments: list   # comments inside the value, or behind it


def statementsOf(text):
    statements, table, position = [], "", 0
    tokens = [match.group() for match in TOKEN.finditer(text)]
    index = 0
    while index < len(tokens):
        begin, depth, words, comments = position, 0, [], []
        while index < len(tokens):
            token = tokens[index]
            index += 1
            position += len(token)
            if token in "[{":
                depth += 1
            elif token in "]}":
                depth -= 1
            if token.startswith("#"):
                comments.append(token)
            elif token != "\n":
                words.append(token)
            if token == "\n" and depth <= 0:
                break
        line = "".join(words).strip()
        if line.startswith("["):
            table = line.strip("[]").strip()
            statements.append(Statement(table, None, begin, position, comments))
        elif "=" in words:
            key = "".join(words[:words.index("=")]).strip()
            statements.append(Statement(table, key, begin, position, comments))
    return statements


def quoted(text):
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def bareKey(text):
    return text if re.fullmatch(r"[A-Za-z0-9_-]+", text) else quoted(text)


def valueText(value):
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, list):
        return "[" + ", ".join(map(valueText, value)) + "]"
    return "{ " + ", ".join(f"{bareKey(key)} = {valueText(each)}" for key, each in value.items()) + " }"


def keyLines(key, value):
    """Returns the lines of one key of a view; empty when the view does not have the key."""
    if key in ("send", "skip"):
        line = f"{key} = {valueText(value)}"
        if len(line) <= COLUMNS:
            return [line]
        return [f"{key} = ["] + [f"    {valueText(each)}," for each in value] + ["]"]
    if key == "default":
        return ["default = true"] if value else []
    return [f"{key}.{bareKey(field)} = {valueText(each)}" for field, each in value.items()]


def viewLines(name, view):
    lines = [f"[view.{name}]", f"type = {quoted(view['type'])}"]
    for key in KEYS:
        if key in view:
            lines += keyLines(key, view[key])
    return lines


def wholeText(content):
    """Returns the whole selection without any comment."""
    lines = [f"format = {content['format']}", f"headers = {valueText(content['headers'])}"]
    if "namespace" in content:
        lines.append(f"namespace = {quoted(content['namespace'])}")
    for name, view in content["view"].items():
        lines += ["", *viewLines(name, view)]
    return "\n".join(lines) + "\n"


def editedText(text, views):
    """Returns the text with these views (name -> its keys), and the lost comments. Errors: NotEditable."""
    content = tomllib.loads(text)
    wanted = {**content, "view": {**content.get("view", {}), **views}}
    edits, lost, added = [], [], []
    statements = statementsOf(text)
    for name, view in views.items():
        before = content.get("view", {}).get(name)
        if before is None:
            added += ["", *viewLines(name, view)]
        else:
            for key in KEYS:
                if before.get(key, [] if key == "skip" else None) != view.get(key, [] if key == "skip" else None):
                    edits.append(replacement(statements, name, key, view.get(key), lost))
    for begin, end, lines in sorted(edits, reverse=True):
        block = "".join(line + "\n" for line in lines)
        text = text[:begin] + ("" if begin == 0 or text[begin - 1] == "\n" or not block else "\n") + block + text[end:]
    if added:
        text = text.rstrip("\n") + "\n" + "\n".join(added) + "\n"
    try:
        isRight = tomllib.loads(text) == wanted
    except tomllib.TOMLDecodeError:
        isRight = False
    if not isRight:
        raise NotEditable()
    return text, lost


def replacement(statements, name, key, value, lost):
    """Returns the place of one key of a view in the text, and its new lines."""
    table = f"view.{name}"
    own = [each for each in statements if each.table == table]
    if not own or own[0].key is not None:
        raise NotEditable()
    present = [each for each in own if each.key is not None and (each.key == key or each.key.startswith(key + "."))]
    if any(other.begin > present[0].begin and other.begin < present[-1].begin and other not in present for other in own if present):
        raise NotEditable()
    for each in present:
        lost += each.comments
    lines = [] if value is None else keyLines(key, value)
    if present:
        return present[0].begin, present[-1].end, lines
    return own[-1].end, own[-1].end, lines
