"""The views as the page sends them back: checked, and as a selection has them. The page may be anybody's."""
from ferrygenParts.selection import isName

KEYS = {"name", "type", "class", "default", "send", "skip", "inside", "length", "one_of", "pointer", "memory"}


class BadRequest(Exception):
    """The request is not one that the page sends."""


def require(condition, what):
    if not condition:
        raise BadRequest(what)


def isText(value):
    return isinstance(value, str) and value.isprintable()


def isTable(value, isValue):
    return isinstance(value, dict) and all(isText(key) and isValue(each) for key, each in value.items())


def isTexts(value):
    return isinstance(value, list) and all(map(isText, value))


def viewsOf(sent):
    """Returns name -> keys of [view.NAME]. Errors: BadRequest."""
    require(isinstance(sent, list), "views is no list")
    views = {}
    for each in sent:
        require(isinstance(each, dict) and set(each) <= KEYS, "a view has unknown keys")
        name = each.get("name")
        require(isinstance(name, str) and isName(name) and name not in views, "a view has no name of its own")
        views[name] = viewOf(each)
    return views


def viewOf(sent):
    require(isText(sent.get("type")), "a view has no type")
    send = sent.get("send")
    require(isinstance(send, list) and all(isinstance(field, dict) and isText(field.get("field")) and
                                           (field.get("type") is None or isText(field["type"])) for field in send), "send is no list of fields")
    require(isTexts(sent.get("skip")), "skip is no list of fields")
    view = {"type": sent["type"]}
    require(isinstance(sent.get("default", False), bool), "default is no truth value")
    if sent.get("default"):
        view["default"] = True
    view["send"] = [field["field"] if field.get("type") is None else f"{field['field']}: {field['type']}" for field in send]
    view["skip"] = sent["skip"]
    for key, isValue in (("inside", isText), ("pointer", isText), ("memory", isText), ("length", isTexts), ("one_of", lambda value: isTable(value, isText))):
        table = sent.get(key, {})
        require(isTable(table, isValue), f"{key} is no table")
        if table:
            view[key] = {field: value[0] if key == "length" and len(value) == 1 else value for field, value in table.items()}
    return view
