#!/usr/bin/env python3
"""Runs a program of a documentation page, and compares what it prints with what the page says.

usage: comparePrinted.py PROGRAM EXPECTED_FILE
"""
import difflib
import pathlib
import subprocess
import sys


def main():
    result = subprocess.run([sys.argv[1]], capture_output=True, text=True)
    expected = pathlib.Path(sys.argv[2]).read_text(encoding="utf-8")
    if result.returncode != 0:
        print(f"exit status {result.returncode}\n{result.stderr}")
    if result.stdout != expected:
        lines = difflib.unified_diff(expected.splitlines(), result.stdout.splitlines(), "the page", "the program", lineterm="")
        print("\n".join(lines))
    return 0 if result.returncode == 0 and result.stdout == expected else 1


if __name__ == "__main__":
    sys.exit(main())
