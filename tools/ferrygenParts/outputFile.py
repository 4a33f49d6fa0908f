"""Files that ferrygen writes: only over what it has made itself."""
import os
import stat
import tempfile

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
    """Writes a text that begins with the mark, unless the file has the same text already. Problem: the existing file has no mark."""
    found = readIfThere(path)
    if found and not found.startswith(mark):
        raise Problem(f"{path}: is not what ferrygen has made, and is not written over: name another file")
    writeIfChanged(path, text)


def writeIfChanged(path, text):
    """Writes the whole text or nothing."""
    if readIfThere(path) == text:
        return
    try:
        writeAtomically(path, text)
    except OSError as error:
        raise Problem(f"{path}: cannot be written: {error.strerror}") from None


def rightsFor(path):
    """Returns the access rights of the existing file, or of a new one."""
    try:
        return stat.S_IMODE(os.stat(path).st_mode) & 0o777
    except FileNotFoundError:
        mask = os.umask(0o077)
        os.umask(mask)
        return 0o666 & ~mask


def writeAtomically(path, text):
    """Writes the whole text or nothing, through symbolic links. Only the owner can read the new file before it has the old rights."""
    path = os.path.realpath(path)
    handle, partial = tempfile.mkstemp(dir=os.path.dirname(path), prefix=f".{os.path.basename(path)}.")
    try:
        with open(handle, "w", encoding="utf-8", newline="") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
            os.fchmod(file.fileno(), rightsFor(path))
        os.replace(partial, path)
    except BaseException:
        os.unlink(partial)
        raise
