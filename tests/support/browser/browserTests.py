"""What tests of pages in headless Chromium have in common."""
import os
import sys
import time
import unittest

import playwrightVenv

SKIPPED = 77
HANG_S = 300
WIDE = {"width": 1280, "height": 900}
NARROW = {"width": 390, "height": 800}


class BrowserTest(unittest.TestCase):
    """Each test has a page. The page records everything that pages must not do. Requests may go to allowed addresses only."""

    allowed = "file://"

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        from playwright.sync_api import sync_playwright
        cls.playwright = cls.enterClassContext(sync_playwright())
        cls.browser = cls.playwright.chromium.launch(executable_path=playwrightVenv.BROWSER)
        cls.addClassCleanup(cls.browser.close)

    def setUp(self):
        super().setUp()
        self.mischief, self.requests = [], []
        context = self.browser.new_context(viewport=WIDE)
        self.addCleanup(context.close)
        self.page = context.new_page()
        self.page.set_default_timeout(HANG_S * 1000)
        self.page.on("console", lambda message: self.mischief.append(f"console: {message.text}"))
        self.page.on("pageerror", lambda error: self.mischief.append(f"error: {error}"))
        self.page.on("dialog", self.refuseDialog)
        self.page.on("request", lambda request: self.requests.append(request.url))

    def refuseDialog(self, dialog):
        self.mischief.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    def tearDown(self):
        self.assertEqual(self.mischief, [])
        self.assertEqual([url for url in self.requests if not url.startswith((self.allowed, "data:,"))], [])
        super().tearDown()

    def awaitThat(self, condition, what):
        """Evaluates the condition from outside: the policy of the pages forbids the scripts that Playwright uses for its own waiting."""
        end = time.monotonic() + HANG_S
        while not condition():
            self.assertLess(time.monotonic(), end, what)
            self.page.wait_for_timeout(50)


def addOptions(parser):
    parser.add_argument("--venv", required=True)
    parser.add_argument("--screenshots")


def run(what, options, rest):
    """Runs the tests of the program in an environment with Playwright. Returns the status."""
    if reason := playwrightVenv.enter(options.venv):
        print(f"NOT RUN: {what}: {reason}")
        return SKIPPED
    if options.screenshots:
        os.makedirs(options.screenshots, exist_ok=True)
    return not unittest.main(argv=[sys.argv[0], *rest], exit=False).result.wasSuccessful()
