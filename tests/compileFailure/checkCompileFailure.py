#!/usr/bin/env python3
"""Compiles a source that must not compile, and checks what the compiler says.

The first lines of the source say what is expected:
    // EXPECT text      the compiler's messages hold this text
    // ERRORS n         they hold so many errors; 1 when nothing is said
    // COMPILES         instead of these: it compiles, without a message
"""
import argparse
import os
import re
import subprocess
import sys

TIMEOUT_S = 120


class Expectation:
    def __init__(self, source):
        self.texts = []
        self.errorCount = 1
        self.compiles = False
        with open(source, encoding="utf-8") as file:
            for line in file:
                word, _, rest = line[len("// "):].rstrip("\n").partition(" ")
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


def compileOnly(command):
    """Exit status and messages; in English, and without a terminal's colours and quotation marks."""
    environment = dict(os.environ, LC_ALL="C", GCC_COLORS="")
    done = subprocess.run(command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          errors="replace", timeout=TIMEOUT_S)
    return done.returncode, done.stdout


def problemsOf(status, messages, expected):
    if expected.compiles:
        return [] if status == 0 and not messages else [f"does not compile cleanly, status {status}"]
    if status != 1:
        return [f"status {status} of the compiler instead of 1"]
    problems = [f"the messages lack: {text}" for text in expected.texts if text not in messages]
    errorCount = len(re.findall(r"^[^ ].*: (?:fatal )?error: ", messages, re.MULTILINE))
    if errorCount != expected.errorCount:
        problems.append(f"{errorCount} errors instead of {expected.errorCount}")
    return problems


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source")
    parser.add_argument("--compiler", required=True)
    parser.add_argument("--option", action="append", default=[], help="passed to the compiler")
    arguments = parser.parse_args()
    command = [arguments.compiler, "-std=c++20", "-fsyntax-only", *arguments.option, arguments.source]
    status, messages = compileOnly(command)
    problems = problemsOf(status, messages, Expectation(arguments.source))
    if problems:
        print(f"{os.path.basename(arguments.source)}: " + "; ".join(problems))
        print("command: " + " ".join(command))
        print(messages)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
