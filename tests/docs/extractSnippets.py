#!/usr/bin/env python3
"""Writes the C++ snippets of documentation pages, and the examples of headers, as files that can be compiled.

usage: extractSnippets.py OUTPUT_FOLDER PAGE...

A snippet with a main() becomes a program <page>_<n>_program.cpp; any other becomes <page>_<n>_part.cpp behind an include of
<ferry/ferry.hpp>. Prints the files' paths, one a line. A file whose text did not change is not written again.
A block of ```text right behind a program holds what the program prints. It becomes <page>_<n>_program.txt.
"""
import pathlib
import re
import sys


def snippetsOf(page):
    """The snippets of a page, each with what it prints, if the page says that."""
    if page.suffix == ".hpp":    # the examples are the indented lines of the first comment
        comment = [line for line in page.read_text(encoding="utf-8").splitlines() if line.startswith("///")]
        lines = [line.removeprefix("///").removeprefix("     ") for line in comment if line == "///" or line.startswith("///     ")]
        return [("\n".join(lines).strip("\n") + "\n", "")]
    return re.findall(r"^```cpp\n(.*?)^```\n(?:\n```text\n(.*?)^```)?", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


def firstProgram(page):
    """The first whole program of a page, and what it prints."""
    return next((snippet, printed) for snippet, printed in snippetsOf(pathlib.Path(page)) if "int main(" in snippet)


def writeIfChanged(path, text):
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for name in sys.argv[2:]:
        page = pathlib.Path(name)
        for number, (snippet, printed) in enumerate(snippetsOf(page), start=1):
            isProgram = "int main(" in snippet
            stem = re.sub(r"\W", "_", page.stem)
            path = folder / f"{stem}_{number}_{'program' if isProgram else 'part'}.cpp"
            text = snippet if isProgram else "#include <ferry/ferry.hpp>\n\n" + snippet
            writeIfChanged(path, text)
            print(path)
            expected = path.with_suffix(".txt")
            if printed:
                writeIfChanged(expected, printed)
            else:
                expected.unlink(missing_ok=True)


if __name__ == "__main__":
    main()
