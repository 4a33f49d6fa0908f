"""Virtual environments of Python for tests that need packages from PyPI, made when they are not there."""
import os
import sys

from launching import Hung, run

INSTALL_S = 300


def _run(*command):
    """Returns the error in one line; empty when there was none."""
    try:
        result = run(command, INSTALL_S)
    except Hung:
        return f"{command[0]} takes longer than {INSTALL_S} s"
    if result.returncode == 0:
        return ""
    lines = (result.stderr.strip() or result.stdout.strip() or f"status {result.returncode}").splitlines()
    return lines[-1]


def pythonOf(folder):
    return os.path.join(folder, "bin", "python")


def _isComplete(folder, requirements, module):
    with open(requirements, encoding="ascii") as file:
        wanted = dict(line.strip().split("==") for line in file if "==" in line)
    check = f"import importlib.metadata as m, {module}; assert all(m.version(n) == v for n, v in {wanted!r}.items())"
    return os.path.exists(pythonOf(folder)) and not _run(pythonOf(folder), "-c", check)


def prepare(folder, requirements, module):
    """Makes an environment with the packages; one of them has the module. Returns the reason for a failure, or an empty text."""
    if _isComplete(folder, requirements, module):
        return ""
    if reason := _run(sys.executable, "-m", "venv", "--clear", folder):
        return f"no virtual environment can be made (package python3-venv): {reason}"
    if reason := _run(pythonOf(folder), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r", requirements):
        return f"pip cannot install {module.split('.')[0]}: {reason}"
    return "" if _isComplete(folder, requirements, module) else f"{module} does not load"
