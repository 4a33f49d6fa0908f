#!/usr/bin/env python3
"""Compiles sources that must not compile, several of them as one, and checks the compiler's messages for each.

The first lines of a source say what is expected:
    // EXPECT text      the compiler's messages for this source hold this text
    // ERRORS n         the messages hold n errors; 1 when nothing is said
    // COMPILES         instead of these: the source compiles, without a message

Reading Ferry's headers takes longer than compiling a source, so the sources are compiled together. The namespace `fail` of each source
gets a name of its own, by which each message finds its source. A source with a main() or with COMPILES is compiled by itself, and so
is a source that lacks messages: the compiler reports a mistake in an instance of a template once, whoever made it.
"""
import argparse
import os
import re
import subprocess
import sys
import tempfile

TIMEOUT_S = 600
ERROR = re.compile(r"^[^ ].*: (?:fatal )?error: ")
DIAGNOSTIC = re.compile(r"^[^ ].*: (?:fatal error|error|warning|note): ")
CONTEXT = re.compile(r"^(?:In file included from |\s+from |[^ ].*: (?:In|At) |[^ ].*:   (?:required|recursively required|in ))")


class Case:
    def __init__(self, source):
        self.source = source
        self.name = os.path.splitext(os.path.basename(source))[0]
        self.texts = []
        self.errorCount = 1
        self.compiles = False
        with open(source, encoding="utf-8") as file:
            self.content = file.read()
        for line in self.content.splitlines():
            word, _, rest = line[len("// "):].partition(" ")
            if not line.startswith("// "):
                break
            if word == "EXPECT":
                self.texts.append(rest)
            elif word == "ERRORS":
                self.errorCount = int(rest)
            elif word == "COMPILES":
                self.compiles = True
        if self.compiles == bool(self.texts):
            raise ValueError(f"{source}: the first lines say neither or both, EXPECT and COMPILES")

    @property
    def alone(self):
        return self.compiles or re.search(r"\bmain\(", self.content) is not None

    def problems(self, status, messages):
        if self.compiles:
            return [] if status == 0 and not messages else [f"does not compile cleanly, status {status}"]
        if status != 1:
            return [f"status {status} of the compiler instead of 1"]
        problems = [f"the messages lack: {text}" for text in self.texts if text not in messages]
        errorCount = sum(1 for line in messages.splitlines() if ERROR.match(line))
        if errorCount != self.errorCount:
            problems.append(f"{errorCount} errors instead of {self.errorCount}")
        return problems


def compileOnly(command):
    """Exit status and messages; in English, and without a terminal's colours and quotation marks."""
    environment = dict(os.environ, LC_ALL="C", GCC_COLORS="")
    done = subprocess.run(command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          errors="replace", timeout=TIMEOUT_S)
    return done.returncode, done.stdout


def joinedSource(cases):
    """One source that includes all cases, behind all headers that they include."""
    headers = sorted({line for case in cases for line in case.content.splitlines() if line.startswith("#include <")})
    parts = [f'#define fail fail_{case.name}\n#include "{os.path.abspath(case.source)}"\n#undef fail\n' for case in cases]
    return "\n".join(headers) + "\n\n" + "\n".join(parts)


def blocksOf(messages):
    """The messages, one block for each error: the lines that lead to it, itself, and its notes."""
    blocks, current, context = [], [], []
    for line in messages.splitlines(keepends=True):
        if CONTEXT.match(line):
            context.append(line)
        elif DIAGNOSTIC.match(line) and ": note: " not in line:
            if current:
                blocks.append("".join(current))
            current, context = [*context, line], []
        else:
            current += [*context, line]
            context = []
    current += context
    return [*blocks, "".join(current)] if current else blocks


def splitMessages(cases, messages):
    """The messages of each case, by name, and those of none or of several."""
    own, foreign = {case.name: "" for case in cases}, ""
    for block in blocksOf(messages):
        names = {case.name for case in cases if re.search(rf"\bfail_{case.name}\b|/{case.name}\.cpp:", block)}
        if len(names) == 1:
            name = names.pop()
            own[name] += block.replace(f"fail_{name}", "fail")
        else:
            foreign += block
    return own, foreign


def checkTogether(cases, command):
    """Problems of cases that are compiled as one: a list of name, problem and messages."""
    with tempfile.TemporaryDirectory(prefix="compileFailures.") as folder:
        source = os.path.join(folder, "joined.cpp")
        with open(source, "w", encoding="utf-8") as file:
            file.write(joinedSource(cases))
        status, messages = compileOnly([*command, source])
    own, foreign = splitMessages(cases, messages)
    found = []
    for case in cases:
        if case.problems(status, own[case.name]):
            found += checkAlone(case, command)
    if foreign:
        found.append(("joined", "messages that belong to no case, or to several", foreign))
    return found


def checkAlone(case, command):
    status, messages = compileOnly([*command, case.source])
    problems = case.problems(status, messages)
    return [(case.name, "; ".join(problems), messages)] if problems else []


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sources", nargs="+")
    parser.add_argument("--compiler", required=True)
    parser.add_argument("--option", action="append", default=[], help="passed to the compiler")
    arguments = parser.parse_args()
    command = [arguments.compiler, "-std=c++20", "-fsyntax-only", "-ftemplate-backtrace-limit=0", *arguments.option]
    cases = [Case(source) for source in arguments.sources]
    together = [case for case in cases if not case.alone]
    found = checkTogether(together, command) if together else []
    for case in cases:
        if case.alone:
            found += checkAlone(case, command)
    for name, problem, messages in found:
        print(f"{name}: {problem}\n{messages}")
    if found:
        print("command: " + " ".join(command))
    print(f"{len(cases)} cases, {len(found)} problems")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
