"""The selection: a TOML file that says which fields of which classes travel. docs/generator.md describes it."""
import os
import re
import tomllib
from dataclasses import dataclass, field

from ferrygenParts.problem import Problem

FORMAT = 1
IDENTIFIER = re.compile(r"[A-Za-z_]\w*")
RESERVED = re.compile(r"_[A-Z]|.*__")    # names that C++ reserves
KEYWORDS = frozenset("""
    alignas alignof and and_eq asm auto bitand bitor bool break case catch char char16_t char32_t char8_t class co_await co_return co_yield
    compl concept const const_cast consteval constexpr constinit continue decltype default delete do double dynamic_cast else enum explicit
    export extern false float for friend goto if inline int long mutable namespace new noexcept not not_eq nullptr operator or or_eq private
    protected public register reinterpret_cast requires return short signed sizeof static static_assert static_cast struct switch template
    this thread_local throw true try typedef typeid typename union unsigned using virtual void volatile wchar_t while xor xor_eq
""".split())
WHOLE = "whole"


def isName(text):
    """Whether a C++ program may use this name for its own things."""
    return IDENTIFIER.fullmatch(text) is not None and not RESERVED.match(text) and text not in KEYWORDS


@dataclass
class View:
    """One part of one class, as in the file. Fields have the names of the file."""
    name: str
    place: str                  # file:line
    type: str
    send: list                  # (field, stated type or None), in the order of the file
    skip: list
    inside: dict                # field -> name of a view, or "whole"
    length: dict                # field -> names of the fields whose product is the number of elements
    oneOf: dict                 # field -> {class: name of a view, or "whole"}
    pointer: dict               # field -> "own", "shared" or "null"
    memory: dict                # array field -> "new" or "malloc"
    isDefault: bool             # objects of the class travel with this view everywhere


    def wantedTypes(self):
        """Returns (type, origin for error messages) of all classes that the view names."""
        return [(self.type, f"{self.place}: view {self.name}")] + [
            (text, f"{self.place}: view {self.name}: one_of.{name}") for name, choices in self.oneOf.items() for text in choices]


@dataclass
class Selection:
    path: str
    headers: list
    namespace: str
    headersPlace: str           # file:line
    views: list = field(default_factory=list)

    @property
    def stem(self):
        """Returns the file's name in a form that can be a part of a C++ name."""
        return re.sub(r"\W", "_", os.path.splitext(os.path.basename(self.path))[0])

    def wantedTypes(self):
        return [wanted for view in self.views for wanted in view.wantedTypes()]

    def view(self, name):
        return next((view for view in self.views if view.name == name), None)


def readSelection(path):
    """Reads and checks the form of a selection. Problem: it cannot be read, or has a wrong form."""
    try:
        with open(path, "rb") as file:
            text = file.read().decode("utf-8")
    except OSError as error:
        raise Problem(f"{path}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise Problem(f"{path}: is not TOML: {error}") from None
    return selectionOf(path, text)


def selectionOf(path, text):
    """Checks a text in place of the file, like readSelection()."""
    try:
        content = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise Problem(f"{path}: is not TOML: {error}") from None
    return SelectionReader(path, text, content).read()


class SelectionReader:
    VIEW_KEYS = {"type", "send", "skip", "inside", "length", "one_of", "pointer", "memory", "default"}

    def __init__(self, path, text, content):
        self.path = path
        self.lines = text.splitlines()
        self.content = content

    def read(self):
        for key in self.content:
            if key not in ("format", "headers", "namespace", "view"):
                self.fail(f"unknown key {key}: expected format, headers, namespace or view", key)
        if self.content.get("format") is True or self.content.get("format") != FORMAT:
            self.fail(f"expected format = {FORMAT}, found {self.content.get('format', 'none')}", "format")
        headers = self.texts(self.content.get("headers"), "headers", "headers")
        if not headers:
            self.fail("headers names no header", "headers")
        if any(re.search(r'["\\\n\r]', header) for header in headers):
            self.fail("headers has a name with a quotation mark, a backslash or a new line", "headers")
        namespace = self.content.get("namespace", "views")
        if not isinstance(namespace, str) or not all(isName(part) for part in namespace.split("::")):
            self.fail("namespace is no name of a namespace", "namespace")
        if namespace.split("::")[0] in ("std", "ferry"):
            self.fail(f"namespace {namespace} belongs to others: choose one of your own", "namespace")
        views = self.content.get("view")
        if not isinstance(views, dict) or not views:
            self.fail("there is no [view.NAME]")
        return Selection(self.path, headers, namespace, f"{self.path}:{self.lineOf('headers')}",
                         [self.readView(name, table) for name, table in views.items()])

    def fail(self, text, word=None):
        raise Problem(f"{self.path}:{self.lineOf(word)}: {text}")

    def lineOf(self, word):
        """Returns the number of the first line that begins with the word; else the number of the first line."""
        return next((number for number, line in enumerate(self.lines, 1) if word is not None and line.strip().startswith(word)), 1)

    def texts(self, value, what, word):
        """Returns a list of texts. A single text stands for a list of one."""
        values = [value] if isinstance(value, str) else value
        if not isinstance(values, list) or not all(isinstance(each, str) for each in values):
            self.fail(f"{what} is no list of texts", word)
        return values

    def table(self, table, key, head):
        value = table.get(key, {})
        if not isinstance(value, dict):
            self.fail(f"{key} is no table: expected {key}.FIELD = ...", head)
        return value

    def readView(self, name, table):
        head = f"[view.{name}]"
        if not isName(name) or not isinstance(table, dict):
            self.fail(f"{name!r} is no name of a view: expected [view.NAME]", head)
        for key in table:
            if key not in self.VIEW_KEYS:
                self.fail(f"view {name}: unknown key {key}: expected one of {', '.join(sorted(self.VIEW_KEYS))}", head)
        if not isinstance(table.get("type"), str):
            self.fail(f"view {name} has no type = \"CLASS\"", head)
        send = []
        for entry in self.texts(table.get("send", []), f"view {name}: send", head):
            fieldName, colon, stated = re.sub("::", "\0", entry).partition(":")    # no colon of Base::field
            send.append((fieldName.replace("\0", "::").strip(), stated.replace("\0", "::").strip() if colon else None))
        pointers = self.table(table, "pointer", head)
        for pointed, meaning in pointers.items():
            if meaning not in ("own", "shared", "null"):
                self.fail(f"view {name}: pointer.{pointed} is {meaning}: expected own, shared or null", head)
        memory = self.table(table, "memory", head)
        for array, meaning in memory.items():
            if meaning not in ("new", "malloc"):
                self.fail(f"view {name}: memory.{array} is {meaning}: expected new or malloc", head)
        choices = self.table(table, "one_of", head)
        for pointed, classes in choices.items():
            if not isinstance(classes, dict) or not classes or not all(isinstance(part, str) for part in classes.values()):
                self.fail(f"view {name}: one_of.{pointed} is no table of classes and their views", head)
        inside = self.table(table, "inside", head)
        if not all(isinstance(part, str) for part in inside.values()):
            self.fail(f"view {name}: inside.FIELD names a view, or \"whole\"", head)
        if not isinstance(table.get("default", False), bool):
            self.fail(f"view {name}: default is true or false", head)
        return View(
            name=name, place=f"{self.path}:{self.lineOf(head)}", type=table["type"], send=send,
            skip=self.texts(table.get("skip", []), f"view {name}: skip", head), inside=inside,
            length={key: self.texts(value, f"view {name}: length.{key}", head)
                    for key, value in self.table(table, "length", head).items()},
            oneOf=choices, pointer=pointers, memory=memory, isDefault=table.get("default", False))
