"""Files that ferrygen writes: only over what it has made itself."""
import os

from ferrygenParts.problem import Problem

HEADER_MARK = "// Made by ferrygen from "
PAGE_MARK = "<!DOCTYPE html>\n<!-- Made by ferrygen"


def readIfThere(path):
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except FileNotFoundError:
        return None
    except UnicodeDecodeError:
        raise Problem(f"{path}: is not what ferrygen has made, and is not written over: name another file") from None


def writeOver(path, text, mark):
    """Writes a text that begins with the mark; leaves alone what has the same text. Problem: when another file is there."""
    found = readIfThere(path)
    if found and not found.startswith(mark):
        raise Problem(f"{path}: is not what ferrygen has made, and is not written over: name another file")
    writeIfChanged(path, text)


def writeIfChanged(path, text):
    """All of it or nothing."""
    if readIfThere(path) == text:
        return
    partial = f"{path}.partial"
    try:
        with open(partial, "w", encoding="utf-8") as file:
            file.write(text)
        os.replace(partial, path)
    except OSError as error:
        raise Problem(f"{path}: cannot be written: {error.strerror}") from None
