#!/usr/bin/env python3
"""Builds a project that uses ferry_generate_views: ferrygen runs when it must, and only then; a changed class stops the build."""
import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from launching import run    # noqa: E402 (the path comes first)

MODULES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "cmake")

PROJECT = """cmake_minimum_required(VERSION 3.25)
project(user LANGUAGES CXX)
list(APPEND CMAKE_MODULE_PATH "{modules}")
include(FerryGenerateViews)
add_library(user OBJECT user.cpp)
target_compile_definitions(user PRIVATE EXTRA=1 "TEXT=a b")
target_include_directories(user PRIVATE "include with space")
ferry_generate_views(user SELECTION body.toml {more})
"""
CLASS = """#pragma once
#include <part.hpp>
#ifndef EXTRA
#error the definition is missing
#endif
class Body {
    float mass_ = 1;
    Part part_;
};
"""
SELECTION = """format = 1
headers = ["body.hpp"]
[view.Light]
type = "Body"
send = ["mass_: float"]
skip = ["part_"]
"""

options = None


class BuildTest(unittest.TestCase):
    def setUp(self):
        if shutil.which("ninja") is None:
            self.skipTest("there is no ninja")
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = temporary.name
        os.mkdir(os.path.join(self.folder, "include with space"))
        self.write("include with space/part.hpp", "#pragma once\nstruct Part { int a; };\n")
        self.write("body.hpp", CLASS)
        self.write("body.toml", SELECTION)
        self.write("user.cpp", '#include "body.hpp"\n')    # other tests compile the views themselves
        self.header = os.path.join(self.folder, "build", "user.views", "body.views.hpp")

    def write(self, name, text):
        with open(os.path.join(self.folder, name), "w", encoding="utf-8") as file:
            file.write(text)

    def execute(self, *command):
        done = run(command, cwd=self.folder, stderr=subprocess.STDOUT)
        return done.returncode, done.stdout

    def configure(self, more="", *settings):
        self.write("CMakeLists.txt", PROJECT.format(modules=os.path.abspath(MODULES), more=more))
        status, output = self.execute(options.cmake, "-S", ".", "-B", "build", "-G", "Ninja", *settings)
        self.assertEqual(status, 0, output)

    def build(self):
        return self.execute(options.cmake, "--build", "build")

    def assertBuilds(self, isGenerated):
        status, output = self.build()
        self.assertEqual(status, 0, output)
        self.assertEqual("Generating body.views.hpp" in output, isGenerated, output)
        return output

    def testRunsOnlyWhenSomethingHasChanged(self):
        self.configure()
        self.assertBuilds(True)
        self.assertIn("no work to do", self.assertBuilds(False))
        before = os.stat(self.header).st_mtime_ns
        self.write("include with space/part.hpp", "#pragma once\nstruct Part { int b; };\n")
        self.assertBuilds(True)
        self.assertEqual(os.stat(self.header).st_mtime_ns, before)    # the header contains nothing of the change
        self.assertIn("no work to do", self.assertBuilds(False))
        self.write("body.toml", SELECTION.replace("Light", "Heavy"))
        self.assertBuilds(True)
        with open(self.header, encoding="utf-8") as file:
            self.assertIn("struct Heavy", file.read())

    def testAChangedClassStopsTheBuild(self):
        self.configure()
        self.assertBuilds(True)
        for change, words in ((("    Part part_;", "    Part part_;\n    int added_;"), "field added_ of Body is neither sent nor skipped"),
                              (("float mass_ = 1;", ""), "Body has no field mass_"),
                              (("mass_", "weight_"), "Body has no field mass_"),
                              (("float mass_", "double mass_"), "field mass_ of Body is double, and was float"),
                              (("<part.hpp>", "<absent.hpp>"), "body.hpp:2: 'absent.hpp' file not found")):
            self.write("body.hpp", CLASS.replace(*change))
            with open(self.header, encoding="utf-8") as file:
                before = file.read()
            status, output = self.build()
            self.assertNotEqual(status, 0, change)
            self.assertIn(words, output)
            if "absent" not in words:
                self.assertIn("view Light", output)
            with open(self.header, encoding="utf-8") as file:
                self.assertEqual(file.read(), before)
        self.write("body.hpp", CLASS)
        self.assertBuilds(True)

    def testACommittedHeaderNeedsNoGenerator(self):
        self.configure("HEADER views/body.hpp FLAGS -DMORE")
        self.assertBuilds(True)
        committed = os.path.join(self.folder, "views", "body.hpp")
        with open(committed, encoding="utf-8") as file:
            self.assertIn("struct Light", file.read())
        shutil.rmtree(os.path.join(self.folder, "build"))
        self.configure("HEADER views/body.hpp", "-DFERRY_COMMITTED_VIEWS=ON", "-DPython3_EXECUTABLE=/nowhere/python3")
        self.assertBuilds(False)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cmake", default="cmake")
    options, rest = parser.parse_known_args()
    unittest.main(argv=[sys.argv[0], *rest])
