"""A virtual environment with Playwright, made when it is not there; the browser is that of the system."""
import os
import subprocess
import sys

REQUIREMENTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "requirements.txt")
BROWSER = "/usr/bin/chromium"
INSTALL_S = 300


def _run(*command):
    """What went wrong, in one line; empty when nothing did."""
    try:
        result = subprocess.run(command, capture_output=True, text=True, timeout=INSTALL_S, stdin=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        return f"{command[0]} takes longer than {INSTALL_S} s"
    if result.returncode == 0:
        return ""
    lines = (result.stderr.strip() or result.stdout.strip() or f"status {result.returncode}").splitlines()
    return lines[-1]


def _isComplete(python):
    with open(REQUIREMENTS, encoding="ascii") as file:
        wanted = dict(line.strip().split("==") for line in file if "==" in line)
    check = f"import importlib.metadata as m, playwright.sync_api; assert all(m.version(n) == v for n, v in {wanted!r}.items())"
    return os.path.exists(python) and not _run(python, "-c", check)


def enter(folder):
    """Goes on in the environment: starts this program again with its Python. Returns only in it, or with the reason why that cannot be."""
    python = os.path.join(folder, "bin", "python")
    if os.path.realpath(sys.prefix) == os.path.realpath(folder):
        return ""
    if not os.access(BROWSER, os.X_OK):
        return f"there is no {BROWSER} (package chromium)"
    if not _isComplete(python):
        if reason := _run(sys.executable, "-m", "venv", "--clear", folder):
            return f"no virtual environment can be made (package python3-venv): {reason}"
        if reason := _run(python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r", REQUIREMENTS):
            return f"pip cannot install Playwright: {reason}"
        if not _isComplete(python):
            return "Playwright does not load"
    os.execv(python, [python, "-B", *sys.argv])
