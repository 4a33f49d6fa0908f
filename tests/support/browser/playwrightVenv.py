"""A virtual environment with Playwright, made when it is not there; the browser is that of the system."""
import os
import sys

FOLDER = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(FOLDER))
from virtualEnvironment import prepare, pythonOf    # noqa: E402 (the path comes first)

BROWSER = "/usr/bin/chromium"


def enter(folder):
    """Restarts this program with the Python of the environment. Returns only inside it, or with the reason why it cannot be used."""
    if os.path.realpath(sys.prefix) == os.path.realpath(folder):
        return ""
    if not os.access(BROWSER, os.X_OK):
        return f"there is no {BROWSER} (package chromium)"
    if reason := prepare(folder, os.path.join(FOLDER, "requirements.txt"), "playwright.sync_api"):
        return reason
    os.execv(pythonOf(folder), [pythonOf(folder), "-B", *sys.argv])
