#!/usr/bin/env python3
"""Makes the site and looks at it: without a warning, without a link that leads nowhere, and without a file from the network.

usage: siteTest.py ROOT OUTDIR
"""
import os
import shutil
import subprocess
import sys
import unittest

ROOT = OUT = ""


def site(*arguments):
    return subprocess.run([sys.executable, "-B", os.path.join(ROOT, "tools", "site"), *arguments], capture_output=True, text=True, check=False)


class Site(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        shutil.rmtree(OUT, ignore_errors=True)
        cls.made = site(OUT)

    def pageWith(self, name, text):
        with open(os.path.join(OUT, name), "w", encoding="utf-8") as file:
            file.write(text)

    def tearDown(self):
        if os.path.exists(os.path.join(OUT, "planted.html")):
            os.remove(os.path.join(OUT, "planted.html"))

    def test_the_site_is_made(self):
        self.assertEqual(self.made.returncode, 0, self.made.stdout + self.made.stderr)
        for page in ("index.html", "tutorials/master.html", "reference/options.html", "api/index.html", "api/classferry_1_1Master.html"):
            self.assertTrue(os.path.isfile(os.path.join(OUT, page)), page)

    def test_a_link_that_leads_nowhere_is_found(self):
        for target, found in (("index.html", ""), ("nowhere.html", "there is no such page"), ("index.html#nowhere", "no such place")):
            self.pageWith("planted.html", f'<html><body><a href="{target}">x</a></body></html>')
            done = site("--links", OUT)
            self.assertEqual(done.returncode, 1 if found else 0, done.stderr)
            self.assertIn(found, done.stderr)

    def test_a_file_from_the_network_is_found(self):
        self.pageWith("planted.html", '<html><body><script src="https://example.org/x.js"></script></body></html>')
        self.assertIn("is fetched from the network", site("--links", OUT).stderr)

    def test_a_folder_with_other_things_is_left_alone(self):
        done = site(os.path.join(ROOT, "docs"))
        self.assertEqual(done.returncode, 1)
        self.assertIn("holds something else than a site", done.stderr)


if __name__ == "__main__":
    ROOT, OUT = os.path.abspath(sys.argv.pop(1)), os.path.abspath(sys.argv.pop(1))
    unittest.main()
