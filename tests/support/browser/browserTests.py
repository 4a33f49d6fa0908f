"""What tests of pages in headless Chromium begin and end with."""
import os
import sys
import unittest

import playwrightVenv

SKIPPED = 77
WIDE = {"width": 1280, "height": 900}
NARROW = {"width": 390, "height": 800}


def addOptions(parser):
    parser.add_argument("--venv", required=True)
    parser.add_argument("--screenshots")


def run(what, options, rest):
    """The tests of the program that runs, in an environment with Playwright; its status."""
    if reason := playwrightVenv.enter(options.venv):
        print(f"NOT RUN: {what}: {reason}")
        return SKIPPED
    if options.screenshots:
        os.makedirs(options.screenshots, exist_ok=True)
    return not unittest.main(argv=[sys.argv[0], *rest], exit=False).result.wasSuccessful()
