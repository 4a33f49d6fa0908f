#!/usr/bin/env python3
"""Ticks fields on the page of ferrygen pick in headless Chromium, saves, and builds a program with what was saved.

usage: pickInBrowserTest.py --include FOLDER --venv FOLDER [--screenshots FOLDER] --library FILE... [options of unittest]

Where there is no Chromium, or Playwright cannot be had, it says so and ends with status 77.
"""
import argparse
import os
import sys
import tomllib

FOLDER = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(FOLDER, ".."), os.path.join(FOLDER, "..", "..", "support", "browser")]
import browserTests    # noqa: E402 (the path comes first)
from browserTests import NARROW    # noqa: E402
from launching import run    # noqa: E402
from picking import SELECTION, PickTest    # noqa: E402

PROGRAM = """#include <mass.hpp>
#include <mass.views.hpp>
#include <ferry/serialization/Codec.hpp>
int main() {
    Mass mass;
    ferry::IntBuffer buffer;
    ferry::IntWriter out(buffer);
    out << ferry::part<views::ToWorker>(mass);
    out.finish();
    return buffer.size() == %d ? 0 : 1;
}
"""
options = None


class PickInBrowser(browserTests.BrowserTest, PickTest):
    def setUp(self):
        super().setUp()
        # A class with an uninitialised reference cannot be constructed.
        self.write("mass.hpp", self.read("mass.hpp").replace("int& reference_", "const int reference_ = 5"))

    def refuseDialog(self, dialog):
        if dialog.type == "beforeunload":
            dialog.accept()
            return
        super().refuseDialog(dialog)

    def open(self):
        self.allowed = self.start()
        self.page.goto(self.allowed)
        self.awaitThat(lambda: self.page.locator("section table").count() == 1, "the class is not shown")

    def awaitStatus(self, text):
        self.awaitThat(lambda: text in self.page.locator("#status").inner_text(), f"the status does not become {text}")

    def keepPicture(self, name):
        if options.screenshots:
            self.page.screenshot(path=os.path.join(options.screenshots, name + ".png"), full_page=True)

    def box(self, field, part):
        return self.page.get_by_role("checkbox", name=f"send {field} in {part}", exact=True)

    def openClass(self, field, nth=0):
        self.page.get_by_role("button", name=f"open the class of {field}").nth(nth).click()

    def press(self, name):
        self.page.get_by_role("button", name=name, exact=True).click()

    def compile(self, ints):
        """Generates from the saved selection, builds a program with it, and runs the program."""
        self.assertEqual(self.execute("generate", "mass.toml", "-o", "mass.views.hpp"), (0, "", ""))
        self.write("main.cpp", PROGRAM % ints)
        program = self.path("program")
        command = ["g++", "-std=c++20", "-DFMT_SHARED", f"-I{options.include}", f"-I{self.folder}", self.path("main.cpp"), "-o", program,
                   *options.library]
        for each in (command, [program]):
            done = run(each)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def testOpenTickSaveGenerateBuild(self):
        self.open()
        self.assertEqual(self.page.title(), "mass.toml - ferrygen pick")
        self.assertTrue(self.box("mass_", "ToWorker").is_checked())
        self.assertFalse(self.box("mass_", "ToMaster").is_checked())
        self.openClass("part_")
        self.page.get_by_role("textbox", name="name of a new part of Part", exact=True).fill("Inner")
        self.press("New part of Part")
        self.box("b_", "Inner").check()
        self.box("part_", "ToWorker").check()
        self.page.get_by_role("combobox", name="part of part_ in ToWorker").select_option("Inner")
        self.box("count_", "ToWorker").check()
        self.box("samples_", "ToWorker").check()
        self.page.get_by_role("textbox", name="length of samples_ in ToWorker").fill("count_")
        self.box("next_", "ToWorker").check()
        self.page.get_by_role("combobox", name="pointer next_ in ToWorker").select_option("null")
        self.page.get_by_role("combobox", name="memory of samples_ in ToWorker").select_option("malloc")
        self.openClass("range_")
        self.page.get_by_role("textbox", name="name of a new part of decltype(Mass::range_)", exact=True).fill("Range")
        self.press("New part of decltype(Mass::range_)")
        self.box("high", "Range").check()
        self.box("range_", "ToWorker").check()
        self.page.get_by_role("combobox", name="part of range_ in ToWorker").select_option("Range")
        self.keepPicture("pickTicked")
        self.press("Check")
        self.awaitStatus("ferrygen would generate this")
        self.assertEqual(self.read(), SELECTION)
        self.press("Save")
        self.awaitStatus("Saved in mass.toml.")
        self.keepPicture("pickSaved")
        views = tomllib.loads(self.read())["view"]
        self.assertEqual(views["ToWorker"]["send"], ["mass_: float", "x_: float", "part_: Part", "count_: long", "samples_: double *", "next_: Mass *",
                                                    "range_"])
        self.assertEqual(views["ToWorker"]["memory"], {"samples_": "malloc"})
        self.assertEqual(views["ToWorker"]["skip"], ["constructor", "near_", "reference_", "bits_"])
        self.assertEqual(views["Inner"], {"type": "Part", "send": ["b_: int"], "skip": ["a_"]})
        self.assertIn("# What they give back.", self.read())
        self.compile(1 + 1 + 1 + 1 + 1)    # mass, place, the inner part, the count, the range; a null pointer takes no int
        self.assertEqual(self.interrupt(), (0, "", ""))

    def testWhatIsRefusedIsShownAndNotSaved(self):
        self.open()
        self.assertTrue(self.box("bits_", "ToWorker").is_disabled())
        self.assertIn("is a bit-field that is private", self.page.locator("tr", has=self.box("bits_", "ToWorker")).inner_text())
        self.box("next_", "ToMaster").check()
        self.press("Save")
        self.awaitStatus("field next_ is a pointer to Mass: say what is behind it")
        self.keepPicture("pickRefused")
        self.assertEqual(self.read(), SELECTION)
        self.box("next_", "ToMaster").uncheck()
        self.assertEqual(self.page.locator("#status").inner_text(), "")
        self.press("Save")
        self.awaitStatus("Saved in mass.toml.")

    def testAClassThatLeadsToItselfIsOpenedAsOftenAsSomebodyAsks(self):
        self.open()
        for depth in range(4):
            self.assertEqual(self.page.locator("section table").count(), depth + 1)
            self.openClass("next_", nth=0)
            self.awaitThat(lambda: self.page.locator("section table").count() == depth + 2, "it does not open")
        self.keepPicture("pickCircle")
        self.box("count_", "ToWorker").first.check()
        self.assertEqual([box.is_checked() for box in self.box("count_", "ToWorker").all()], [True] * 5)
        self.page.get_by_role("button", name="close the class of next_").first.click()
        self.assertEqual(self.page.locator("section table").count(), 1)

    def testNewFieldsAreDecisionsAndGoneOnesAreRemoved(self):
        self.write("mass.hpp", self.read("mass.hpp").replace("float x_ = 0;", "float y_ = 0, z_ = 0;"))
        self.write("mass.toml", SELECTION.replace("x_: float", "x_"))
        self.open()
        self.assertTrue(self.box("y_", "ToWorker").evaluate("box => box.indeterminate"))
        self.press("Save")
        self.awaitStatus("y_ in ToWorker is neither sent nor skipped")
        self.keepPicture("pickUndecided")
        for part in ("ToWorker", "ToMaster"):
            self.box("y_", part).check()
            self.box("z_", part).check()
            self.box("z_", part).uncheck()
        self.press("Save")
        self.awaitStatus("Mass has no field x_")
        for _ in range(2):
            self.page.get_by_role("button", name="Remove it").first.click()
        self.press("Save")
        self.awaitStatus("Saved in mass.toml.")
        self.assertEqual(self.execute("generate", "mass.toml", "-o", "mass.views.hpp"), (0, "", ""))

    def testHostileCommentsAreTextAndNothingLeavesTheMachine(self):
        self.open()
        self.openClass("part_")
        self.awaitThat(lambda: "<script>alert('comment')</script>" in self.page.locator("main").inner_text(), "the comment is not shown")
        self.assertEqual(self.page.locator("main script, main img").count(), 0)
        self.assertLessEqual(self.page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth"), 0)
        self.page.set_viewport_size(NARROW)
        self.keepPicture("pickNarrow")
        self.assertLessEqual(self.page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth"), 0)

    def testAStaticPageGivesATextToCopy(self):
        self.assertEqual(self.execute("pick", "mass.toml", "--static", "page.html"), (0, "", ""))
        self.page.goto(f"file://{self.path('page.html')}")
        self.openClass("part_")
        self.box("mass_", "ToMaster").check()
        self.box("part_", "ToWorker").check()
        self.press("Select the text of the file")
        self.keepPicture("pickStatic")
        self.write("mass.toml", self.page.locator("#text").input_value())
        self.assertEqual(tomllib.loads(self.read())["view"]["ToMaster"]["send"], ["x_", "mass_: float"])
        self.assertIn("Part does not say what of it travels", self.execute("generate", "mass.toml", "-o", "mass.views.hpp")[2])

    def testTheKeyboardIsEnough(self):
        self.open()
        box = self.box("count_", "ToWorker")
        box.focus()
        self.page.keyboard.press("Space")
        self.assertTrue(box.is_checked())
        self.assertTrue(box.evaluate("box => box === document.activeElement"))
        toggle = self.page.get_by_role("button", name="open the class of part_")
        toggle.focus()
        self.page.keyboard.press("Enter")
        self.awaitThat(lambda: self.page.locator("section table").count() == 2, "it does not open")
        self.assertEqual(self.page.get_by_role("button", name="close the class of part_").get_attribute("aria-expanded"), "true")


def main():
    global options
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--include", required=True)
    browserTests.addOptions(parser)
    parser.add_argument("--library", required=True, action="append", help="what the program links, in that order")
    options, rest = parser.parse_known_args()
    return browserTests.run("ferrygen pick in a browser", options, rest)


if __name__ == "__main__":
    sys.exit(main())
