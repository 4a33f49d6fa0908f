"""Builds the program of Ferry's README against the package, and compares what it prints."""
import io
import os

from conan import ConanFile
from conan.tools.build import can_run
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain, cmake_layout


class FerryTest(ConanFile):
    settings = "os", "compiler", "build_type", "arch"

    def requirements(self):
        self.requires(self.tested_reference_str)

    def layout(self):
        cmake_layout(self)

    def generate(self):
        toolchain = CMakeToolchain(self)
        toolchain.user_presets_path = False    # no file beside the sources
        toolchain.generate()
        CMakeDeps(self).generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def test(self):
        if not can_run(self):
            return
        printed = io.StringIO()
        self.run(os.path.join(self.cpp.build.bindir, "squares") + " --ferry-slaves 2", printed, env="conanrun")
        expected = "144\nthe number is over 46340\n"
        if printed.getvalue() != expected:
            raise RuntimeError(f"expected {expected!r}, got {printed.getvalue()!r}")
