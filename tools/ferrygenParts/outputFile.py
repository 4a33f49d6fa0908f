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
    """Returns the access rights of the existing file, or of a new one. The mask of the process holds too for the file of another user."""
    mask = os.umask(0o077)
    os.umask(mask)
    try:
        status = os.stat(path)
    except FileNotFoundError:
        return 0o666 & ~mask
    rights = stat.S_IMODE(status.st_mode) & 0o777
    return rights if status.st_uid == os.geteuid() else rights & ~mask


def requireNoTrap(path):
    """Refuses a symbolic link of another user in a folder where others may make files (/tmp). Such a link may lead to any file."""
    mostLinks = 40
    for _ in range(mostLinks):
        if not os.path.islink(path):
            return
        folder, owner = os.stat(os.path.dirname(path) or "."), os.lstat(path).st_uid
        if folder.st_mode & stat.S_ISVTX and folder.st_mode & 0o022 and owner not in (os.geteuid(), folder.st_uid):
            raise Problem(f"{path}: is a symbolic link of another user (number {owner}) in a folder where others may make files: use another "
                          "folder")
        path = os.path.join(os.path.dirname(path), os.readlink(path))


def writeAtomically(path, text):
    """Writes the whole text or nothing, through symbolic links. Only the owner can read the new file before it has the old rights."""
    requireNoTrap(path)
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
