#!/usr/bin/env python3
"""The recipes in packaging/ and the files that say things of the whole project agree with CMake and the README.

Spack and vcpkg are not run: a stub stands for Spack, and vcpkg's files are read as texts.
"""
import argparse
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import types
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "docs"))
from extractSnippets import firstProgram    # noqa: E402 (the path comes first)

OPTIONS = None    # the options of the command line
DEPENDENCIES = {"boost", "fmt", "spdlog", "cli11", "xxhash", "nlohmann-json", "mpi"}    # as cmake/FerryDependencies.cmake finds them


def textOf(*path):
    with open(os.path.join(OPTIONS.source, *path), encoding="utf-8") as file:
        return file.read()


def optionsOfCMake():
    return set(re.findall(r"option\((\w+) ", textOf("CMakeLists.txt")))


class SpackStub(types.ModuleType):
    """As much of spack.package as the recipe uses, with a record of what the recipe says."""

    def __init__(self):
        super().__init__("spack.package")
        self.variants, self.dependencies, self.used = set(), set(), set()
        stub = self

        class CMakePackage:
            def define(self, name, value):
                stub.used.add(name)
                return f"-D{name}={value}"

            def define_from_variant(self, name, variant):
                assert variant in stub.variants, variant
                return self.define(name, variant)

        self.CMakePackage = CMakePackage
        self.variant = lambda name, default, description: self.variants.add(name)
        self.depends_on = lambda spec, when=None, type=None: self.dependencies.add(re.match(r"[\w-]+", spec).group())
        self.license = self.conflicts = lambda *words, **more: None
        self.run_after = self.on_package_attributes = lambda *words, **more: lambda function: function
        self.Executable = None
        self.__all__ = ["CMakePackage", "variant", "depends_on", "license", "conflicts", "run_after", "on_package_attributes", "Executable"]


class RecipesTest(unittest.TestCase):
    def testSpack(self):
        stub = SpackStub()
        sys.modules["spack"] = types.ModuleType("spack")
        sys.modules["spack.package"] = stub
        spec = importlib.util.spec_from_file_location("ferryRecipe", os.path.join(OPTIONS.source, "packaging", "spack", "package.py"))
        recipe = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(recipe)
        self.assertTrue(recipe.Ferry().cmake_args())
        self.assertEqual(stub.used - optionsOfCMake(), set())
        self.assertEqual(DEPENDENCIES - stub.dependencies, set())

    def testVcpkg(self):
        manifest = json.loads(textOf("packaging", "vcpkg", "vcpkg.json"))
        self.assertEqual(manifest["version"], OPTIONS.version)
        names = {entry if isinstance(entry, str) else entry["name"] for entry in manifest["dependencies"]}
        names |= {name for feature in manifest["features"].values() for name in feature["dependencies"]}
        self.assertEqual({name for name in DEPENDENCIES if not any(found.startswith(name) for found in names)}, set())
        port = textOf("packaging", "vcpkg", "portfile.cmake")
        used = set(re.findall(r"\b(?:-D)?(FERRY_(?:BUILD|WITH)\w+)", port))
        self.assertEqual(used - optionsOfCMake(), set())
        self.assertIn("mpi", manifest["features"])

    def testConan(self):
        recipe = textOf("packaging", "conan", "conanfile.py")
        compile(recipe, "conanfile.py", "exec")
        self.assertEqual(set(re.findall(r'"((?:FERRY|BUILD)_\w+)":', recipe)) - optionsOfCMake(), set())
        required = set(re.findall(r'self\.requires\("([^"]+)"', recipe))
        profile = set(textOf("packaging", "conan", "system.profile").split("[platform_requires]\n")[1].split())
        self.assertEqual(required, profile)
        program, printed = firstProgram(os.path.join(OPTIONS.source, "README.md"))
        self.assertEqual(textOf("packaging", "conan", "test_package", "squares.cpp"), program)
        self.assertIn(repr(printed).replace("'", '"'), textOf("packaging", "conan", "test_package", "conanfile.py"))

    def testTheVersionIsTheSameEverywhere(self):
        self.assertIn(f"\nversion: {OPTIONS.version}\n", textOf("CITATION.cff"))
        minor = ".".join(OPTIONS.version.split(".")[:2])
        self.assertIn(f"| {minor} ", textOf("SECURITY.md"))
        self.assertIn(f"find_package(ferry {minor} REQUIRED)", textOf("docs", "packages.md"))

    def testEachFileHasALicence(self):
        self.assertEqual(textOf("LICENSES", "BSL-1.0.txt"), textOf("LICENSE"))
        if shutil.which("reuse") is None:
            print("NOT RUN: reuse lint, since there is no reuse (pip install reuse)")
            return
        done = subprocess.run(["reuse", "--root", OPTIONS.source, "lint"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout)

    def testTheCitationIsValid(self):
        if shutil.which("cffconvert") is None:
            print("NOT RUN: cffconvert --validate, since there is no cffconvert (pip install cffconvert)")
            return
        done = subprocess.run(["cffconvert", "--validate", "-i", os.path.join(OPTIONS.source, "CITATION.cff")], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    for option in ("source", "version"):
        parser.add_argument("--" + option, required=True)
    OPTIONS, rest = parser.parse_known_args()
    unittest.main(argv=[sys.argv[0]] + rest)
