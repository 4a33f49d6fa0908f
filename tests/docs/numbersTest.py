#!/usr/bin/env python3
"""Compares the tables and numbers of the pages with the sources that they tell of.

usage: numbersTest.py ROOT
"""
import glob
import os
import re
import sys

ROOT = ""
INTERNAL_VARIABLES = {"FERRY_COPY", "FERRY_COMMAND"}    # two copies of Ferry in one process meet; `ferry run` names itself


def textOf(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


def section(path, heading):
    found = re.search(rf"^##+ {re.escape(heading)}\n(.*?)(?=^##+ |\Z)", textOf(path), re.MULTILINE | re.DOTALL)
    return found.group(1) if found else ""


def rowsOf(text):
    """The cells of the rows of the tables in a text, without heads."""
    rows = [[cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip())[1:-1]] for line in text.splitlines() if line.startswith("|")]
    heads = {i - 1 for i, row in enumerate(rows) if all(re.fullmatch(r":?-+:?", cell) for cell in row)}
    return [row for i, row in enumerate(rows) if i not in heads and i - 1 not in heads]


def differ(what, told, true):
    told, true = set(told), set(true)
    return [f"{what}: the page lacks {name}" for name in sorted(true - told)] + [f"{what}: the page has {name}, the sources do not" for name in
                                                                                sorted(told - true)]


def number(path, pattern):
    found = re.search(pattern, textOf(path))
    if not found:
        raise SystemExit(f"numbersTest: {path} holds no {pattern}")
    return float(found.group(1).replace("'", ""))


def optionsOfPrograms():
    rows = {row[0].strip("`").split(" ")[0]: row for row in rowsOf(section("docs/options.md", "Options of every program"))}
    source = textOf("framework/Options.cpp")
    names = set(re.findall(r'"(--ferry-[a-z-]+)"', source))
    problems = differ("docs/options.md, options of every program", rows, names)
    problems += differ("framework/Options.hpp, comment of Options", re.findall(r"--ferry-[a-z-]+", textOf("framework/Options.hpp")), names)
    expected = {
        "--ferry-grace": (2, number("framework/ending/ShutdownSettings.hpp", r"grace\{(\d+)\}") / 1000),
        "--ferry-heartbeat": (2, number("framework/watch/WatchSettings.hpp", r"heartbeat\{(\d+)\}")),
    }
    for name, (cell, value) in expected.items():
        if name in rows and float(rows[name][cell]) != value:
            problems.append(f"docs/options.md: {name} has the default {rows[name][cell]}, the sources say {value:g}")
    limits = {
        "--ferry-grace": (number("framework/Options.cpp", r"leastGraceSeconds = ([\d.]+)"), number("framework/Options.cpp", r"mostSeconds = ([\d']+)")),
        "--ferry-heartbeat": (number("framework/Options.cpp", r"leastHeartbeatMs = (\d+)"),
                              number("framework/Options.cpp", r"mostHeartbeatMs = ([\d']+)")),
    }
    for name, pair in limits.items():
        told = [float(each.replace(",", "")) for each in re.findall(r"\d[\d,.]*", rows.get(name, ["", ""])[1])][-2:]
        if tuple(told) != pair:
            problems.append(f"docs/options.md: {name} has the limits {told}, the sources say {pair}")
    return problems


def optionsOfLauncher():
    rows = {row[0].strip("`").split(" ")[0].strip("`"): row for row in rowsOf(section("docs/options.md", "Options of ferry run"))}
    declared = dict(re.findall(r'add_argument\("(--[a-z-]+)"(.*?)\)\n', textOf("tools/ferryrun"), re.DOTALL))
    problems = differ("docs/options.md, options of ferry run", rows, declared)
    for name, rest in declared.items():
        found = re.search(r"default=(\d+)|, (\d+)\), metavar", rest)
        if found and name in rows and rows[name][1] != (found.group(1) or found.group(2)):
            problems.append(f"docs/options.md: {name} has the default {rows[name][1]}, tools/ferryrun says {found.group(1) or found.group(2)}")
    return problems


def fieldsOf(text, structure):
    """The fields of a struct without functions."""
    body = re.search(rf"^struct {structure} \{{\n(.*?)^\}};", text, re.MULTILINE | re.DOTALL).group(1)
    return set(re.findall(r"^    \S[^;/=]*?(\w+)(?:\{[^;]*\}| = [^;]*)?;", body, re.MULTILINE))


def optionsOfCollectives():
    """Each options struct has a row in the guide, with its fields; a row may name those of another call."""
    page = "docs/guide.md, options of collectives"
    source = textOf("connector/collective/shape/CollectiveOptions.hpp")
    rows = {row[0].strip("`"): re.findall(r"`([\w:]+)`", row[1]) for row in rowsOf(textOf("docs/guide.md"))
            if len(row) == 2 and re.match(r"`ferry::\w+Options`: ", row[1])}
    structs = re.findall(r"^struct (\w+Options) ", source, re.MULTILINE)
    problems = differ(page, (names[0].removeprefix("ferry::") for names in rows.values()), structs)
    for call, (struct, *names) in rows.items():
        struct = struct.removeprefix("ferry::")
        if struct != f"{call[0].upper()}{call[1:]}Options":
            problems.append(f"{page}: {call} takes {struct}")
        if struct in structs:
            told = {field for name in names for field in (rows[name][1:] if name in rows else [name])}
            problems += differ(f"{page}, {call}", told, fieldsOf(source, struct))
    return problems


def variables():
    told = [row[0].strip("`") for row in rowsOf(section("docs/options.md", "Variables of the environment"))]
    read = set()
    for folder in ("serialization", "connector", "framework", "guard"):
        for path in glob.glob(os.path.join(ROOT, folder, "**", "*.[ch]pp"), recursive=True):
            with open(path, encoding="utf-8") as file:
                text = file.read()
            read |= set(re.findall(r'(?:getenv|variable|variable =)\(?"?\s*"?(FERRY_[A-Z_]+)"', text))
    launcher = textOf("tools/ferryrun")
    read |= set(re.findall(r'"(FERRY_[A-Z_]+)"', launcher)) | set(re.findall(r'environ\.get\("(FERRY_\w+)"', launcher))
    return differ("docs/options.md, variables", told, read - INTERNAL_VARIABLES)


def optionsOfCMake():
    told = set(re.findall(r"`(\w+)`", " ".join(row[0] for row in rowsOf(section("docs/packages.md", "From the source")))))
    true = set(re.findall(r"^\s*option\((\w+)", textOf("CMakeLists.txt"), re.MULTILINE)) - {"FERRY_WARNINGS_AS_ERRORS"}
    return differ("docs/packages.md, options of CMake", told, true)


def exitStatuses():
    told = {row[0] for row in rowsOf(section("docs/errors.md", "The report and the exit status")) if re.fullmatch(r"\d", row[0])}
    true = re.findall(r"^constexpr int \w+ = (\d);", textOf("framework/ending/ExitStatus.hpp"), re.MULTILINE)
    return differ("docs/errors.md, exit statuses", told, true)


def speedOnReadme():
    told = re.search(r"message of 4 bytes takes ([\d.]+) times as long as in plain MPI", textOf("README.md"))
    row = next((row for row in rowsOf(section("docs/benchmarks.md", "Messages")) if row[0] == "4"), None)
    if not told or not row:
        return ["README.md: the cost of 4 bytes was not found there or in docs/benchmarks.md"]
    measured = float(re.match(r"[\d.]+", row[2]).group())
    if float(told.group(1)) != round(measured, 1):
        return [f"README.md: a message of 4 bytes takes {told.group(1)} times as long as in plain MPI, docs/benchmarks.md says {measured}"]
    return []


def versions():
    version = ".".join(re.findall(r"^#define FERRY_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", textOf("version.hpp"), re.MULTILINE))
    problems = [] if f"version {version}" in textOf("README.md") else [f"README.md: does not name version {version}"]
    if not re.search(rf"^## \[{re.escape(version)}\] - \d{{4}}-\d\d-\d\d$", textOf("CHANGELOG.md"), re.MULTILINE):
        problems.append(f"CHANGELOG.md: has no section with a date for version {version}")
    return problems


def machines():
    told = [row[0] for row in rowsOf(textOf("docs/machines.md")) if len(row) == 5]
    true = re.findall(r'yield \w+\("([\w-]+)"', textOf("tools/otherMachines"))
    return differ("docs/machines.md", told, true)


def main():
    global ROOT
    ROOT = sys.argv[1]
    problems = []
    for check in (optionsOfPrograms, optionsOfLauncher, optionsOfCollectives, variables, optionsOfCMake, exitStatuses, speedOnReadme, versions, machines):
        problems += check()
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
