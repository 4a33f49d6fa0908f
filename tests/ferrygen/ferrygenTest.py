#!/usr/bin/env python3
"""Runs ferrygen on selections that are good, and on each mistake that it must refuse: with one clear error, and nothing written."""
import os
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
import launching    # noqa: E402 (the path comes first)

FERRYGEN = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "tools", "ferrygen")

CLASSES = """#pragma once
struct Plain { int x; double y; };
class Silent { int hidden_; };
class Virtual { public: virtual ~Virtual(); int x; };
class Derived : public Virtual { public: int z; };
class Final final : public Virtual { public: int z; };
union Either { int whole; float part; };
class Odd {
    int& reference_;
    const int constant_ = 1;
    unsigned bits_ : 3;
    Either either_;
    union { int first; float second; };
    int* numbers_;
    Plain* plain_;
    Virtual* virtual_;
    Silent silent_;
    Plain copy_;
    int* rows_;
    long n_, m_;
    int** twice_;
    long double long_;
    int spare_;
    volatile int moving_, clocks_[2][3];
    const int steps_[2] = {};
    void* handle_;
};
template <class T> struct Base { T b; };
template <class T> struct Heir : Base<T> { T h; };
struct Twice : Plain { int x; };
struct Incomplete;
"""
FIELDS = ["reference_", "constant_", "bits_", "either_", "first", "second", "numbers_", "plain_", "virtual_", "silent_", "copy_", "rows_",
          "n_", "m_", "twice_", "long_", "spare_", "moving_", "clocks_", "steps_",
          "handle_"]


def run(*arguments, folder, environment=None):
    """Runs ferrygen in a folder. Returns its exit status, output and errors."""
    done = launching.run([sys.executable, "-B", FERRYGEN, *arguments], cwd=folder, env={**os.environ, **(environment or {})})
    return done.returncode, done.stdout, done.stderr


class FerrygenTest(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.addCleanup(self.temporary.cleanup)
        self.folder = self.temporary.name
        self.write("classes.hpp", CLASSES)

    def write(self, name, text):
        with open(os.path.join(self.folder, name), "w", encoding="utf-8") as file:
            file.write(text)

    def read(self, name):
        with open(os.path.join(self.folder, name), encoding="utf-8") as file:
            return file.read()

    def generate(self, views, *flags, headers='["classes.hpp"]'):
        self.write("s.toml", f"format = 1\nheaders = {headers}\n{views}\n")
        return run("generate", "s.toml", "-o", "s.hpp", "--", *flags, folder=self.folder)

    def assertRefused(self, views, *words, flags=(), headers='["classes.hpp"]'):
        """Requires one error line with these words, and that nothing is written."""
        if "s.hpp" in os.listdir(self.folder):
            os.remove(os.path.join(self.folder, "s.hpp"))
        status, output, errors = self.generate(views, *flags, headers=headers)
        self.assertEqual((status, output), (1, ""), errors)
        self.assertEqual(len(errors.splitlines()), 1, errors)
        for word in words:
            self.assertIn(word, errors)
        self.assertEqual([name for name in os.listdir(self.folder) if name.startswith("s.hpp")], [])

    def odd(self, sent, more=""):
        """Returns a view of Odd that sends these fields."""
        return (f'[view.Part]\ntype = "Odd"\nsend = {list(sent)}\nskip = {[name for name in FIELDS if name not in sent]}\n{more}\n'
                .replace("'", '"'))

    def assertOddRefused(self, sent, more, *words):
        self.assertRefused(self.odd(sent, more), "view Part", *words)

    def place(self, text):
        return f"classes.hpp:{next(i for i, line in enumerate(CLASSES.splitlines(), 1) if text in line)}:"

    def testTheSameTextTwiceIsWrittenOnce(self):
        view = '[view.P]\ntype = "Plain"\nsend = ["x: int", "y"]\n'
        self.assertEqual(self.generate(view), (0, "", ""))
        self.assertIn("struct P : PMembers {};", self.read("s.hpp"))
        self.assertIn("SeenClass<views::sTags::Plain_Size, Plain, 16>", self.read("s.hpp"))
        path = os.path.join(self.folder, "s.hpp")
        os.utime(path, (1, 1))
        self.assertEqual(self.generate(view), (0, "", ""))
        self.assertEqual(os.stat(path).st_mtime, 1)

    def testOnlyWhatFerrygenHasMadeIsWrittenOver(self):
        selection = 'format = 1\nheaders = ["classes.hpp"]\n[view.P]\ntype = "Plain"\nsend = ["x", "y"]\n'
        self.write("s.toml", selection)
        with open(os.path.join(self.folder, "image"), "wb") as file:
            file.write(b"\xff\xfe")
        for target in ("s.toml", "classes.hpp", "image"):
            for command in (("generate", "s.toml", "-o", target), ("pick", "s.toml", "--static", target)):
                status, _, errors = run(*command, folder=self.folder)
                self.assertEqual((status, errors), (1, f"{target}: is not what ferrygen has made, and is not written over: name another file\n"))
        self.assertEqual((self.read("s.toml"), self.read("classes.hpp")), (selection, CLASSES))
        self.write("s.hpp", "")
        for _ in range(2):
            self.assertEqual(run("generate", "s.toml", "-o", "s.hpp", folder=self.folder), (0, "", ""))
            self.assertEqual(run("pick", "s.toml", "--static", "s.html", folder=self.folder), (0, "", ""))
            self.write("s.hpp", self.read("s.hpp") + "// and more\n")
        self.assertIn("none/s.hpp: cannot be written: No such file", run("generate", "s.toml", "-o", "none/s.hpp", folder=self.folder)[2])

    @unittest.skipIf(os.geteuid() != 0, "only root can make links of another user")
    def testNoLinkOfAnotherUserIsFollowedInASharedFolder(self):
        self.write("s.toml", 'format = 1\nheaders = ["classes.hpp"]\n[view.P]\ntype = "Plain"\nsend = ["x", "y"]\n')
        link = os.path.join(self.folder, "s.hpp")
        os.symlink("real.hpp", link)
        os.lchown(link, 65534, 65534)
        os.chmod(self.folder, 0o1777)
        status, _, errors = run("generate", "s.toml", "-o", "s.hpp", folder=self.folder)
        self.assertEqual(status, 1)
        self.assertIn("s.hpp: is a symbolic link of another user (number 65534)", errors)
        self.assertFalse(os.path.exists(os.path.join(self.folder, "real.hpp")))
        os.chmod(self.folder, 0o755)    # nobody else can have made the link
        self.assertEqual(run("generate", "s.toml", "-o", "s.hpp", folder=self.folder), (0, "", ""))
        self.assertTrue(os.path.exists(os.path.join(self.folder, "real.hpp")))

    def testCheckComparesTheHeader(self):
        self.generate('[view.P]\ntype = "Plain"\nsend = ["x", "y"]\n')
        check = ("check", "s.toml", "-o", "s.hpp")
        self.assertEqual(run(*check, folder=self.folder), (0, "", ""))
        self.write("classes.hpp", CLASSES.replace("double y;", "float y;"))
        status, _, errors = run(*check, folder=self.folder)
        self.assertEqual(status, 1)
        self.assertIn("s.hpp: is not what s.toml gives: ferrygen generate s.toml -o s.hpp", errors)
        os.remove(os.path.join(self.folder, "s.hpp"))
        self.assertIn("does not exist", run(*check, folder=self.folder)[2])

    def testDepfileNamesWhatWasRead(self):
        self.write("inner.hpp", "#pragma once\nstruct Inner { int i; };\n")
        self.write("outer.hpp", '#pragma once\n#include "inner.hpp"\n')
        self.write("s.toml", 'format = 1\nheaders = ["outer.hpp"]\n[view.I]\ntype = "Inner"\nsend = ["i"]\n')
        status, _, errors = run("generate", "s.toml", "-o", "s.hpp", "--depfile", "s.d", folder=self.folder)
        self.assertEqual(status, 0, errors)
        files = self.read("s.d").replace("\\\n", " ").split()
        self.assertEqual(files[0], "s.hpp:")
        for name in ("s.toml", "outer.hpp", "inner.hpp", "ferrygen"):
            self.assertTrue(any(os.path.basename(file) == name for file in files), name)

    def testListShowsTheTreeAndASelection(self):
        self.write("tree.hpp", "struct Leaf { int a; };\nclass Node { Node* next; /** of the node */ Leaf leaf; protected: int b : 2; };\n")
        status, output, errors = run("list", "tree.hpp", "Node", folder=self.folder)
        self.assertEqual(status, 0, errors)
        self.assertEqual([line.split("    ") for line in output.splitlines()], [
            ["Node", "16 bytes", "tree.hpp:2"],
            ["", "next", "Node *", "private, shown above"],
            ["", "leaf", "Leaf", "private", "// of the node"],
            ["", "", "a", "int", "public"],
            ["", "b", "int", "protected, bit-field of 2"]])
        self.write("closed.hpp", '#include "classes.hpp"\nstruct Closed { Heir<int> heir; int last; };\n')
        status, output, errors = run("list", "closed.hpp", "Closed", folder=self.folder)
        self.assertEqual(status, 0, errors)
        self.assertIn("cannot be opened: " + self.place("struct Heir"), output)
        self.assertTrue(output.endswith("    last    int    public\n"), output)
        status, output, errors = run("list", "classes.hpp", "Plain", "--toml", folder=self.folder)
        self.assertEqual(status, 0, errors)
        self.write("s.toml", output)
        self.assertEqual(run("generate", "s.toml", "-o", "s.hpp", folder=self.folder), (0, "", ""))

    def testAnUnnamedTypeIsNamedWithoutItsFileAndLine(self):
        """The selection holds on other machines, and when a line is inserted in the header."""
        struct = "struct Outer { struct { int a; } inner; enum { One } choice; };\n"
        self.write("unnamed.hpp", struct)
        status, output, errors = run("list", "unnamed.hpp", "Outer", "--toml", folder=self.folder)
        self.assertEqual(status, 0, errors)
        self.assertIn('"inner: Outer::(unnamed struct)"', output)
        self.assertIn('"choice: Outer::(unnamed enum)"', output)
        self.assertNotIn(self.folder, output)
        older = output.replace("(unnamed struct)", "(unnamed struct at /home/other/unnamed.hpp:7:16)")    # as ferrygen 0.1.0 has written it
        for selection in (output, older):
            self.write("s.toml", selection)
            self.write("unnamed.hpp", "\n" + struct)
            self.assertEqual(run("generate", "s.toml", "-o", "s.hpp", folder=self.folder), (0, "", ""))

    def testFunctionsForBoost(self):
        """tests/ferrygen/boostTest.cpp uses such functions."""
        self.write("boost.hpp", """#pragma once
#include <chrono>
#include <memory>
#include <optional>
#include <vector>
struct Point { int x; };
struct Known { int x; template <class Archive> void serialize(Archive&, unsigned) {} };
class Outer {
    class Inner { int i; };
    Inner inner_;
    std::vector<Point> points_;
    std::optional<int> maybe_;
    int* number_;
    std::unique_ptr<int> one_;
    std::vector<std::unique_ptr<Point>> many_;
    std::chrono::seconds time_;
    Known known_;
    const int constant_ = 1;
    volatile int moving_;
    unsigned bits_ : 3;
};
""")
        fields = ["inner_", "points_", "maybe_", "number_", "one_", "many_", "time_", "known_", "constant_", "moving_", "bits_"]

        def outer(field, more=""):
            rest = str([name for name in fields if name != field]).replace("'", '"')
            self.write("s.toml", 'format = 1\nheaders = ["boost.hpp"]\n[view.P]\ntype = "Outer"\n'
                       f'send = ["{field}"]\nskip = {rest}\n{more}\n')
            return run("generate", "s.toml", "--boost", "-o", "s.hpp", folder=self.folder)

        inner = '[view.I]\ntype = "Outer::Inner"\nsend = ["i"]\n'
        point = '[view.V]\ntype = "Point"\nsend = ["x"]\n'
        for field, more, words in (
                ("inner_", "inside.inner_ = \"I\"\n" + inner, ("view I", "Outer::Inner is private", "skip its objects")),
                ("points_", "", ("field points_ holds a Point", "give the class a view", "add the field to skip")),
                ("points_", point + point.replace("view.V", "view.W"), ("view W", "Point has the view V already")),
                ("maybe_", "", ("field maybe_ holds a std::optional<int>", "add it to skip")),
                ("number_", "pointer.number_ = \"own\"", ("field number_ is a pointer to int", "add it to skip")),
                ("one_", "", ("field one_ is a pointer to int", "add it to skip")),
                ("many_", "pointer.many_ = \"null\"", ("field many_ is a container of pointers", "add it to skip")),
                ("time_", "", ("field time_ holds a std::chrono::duration<", "add it to skip")),
                ("constant_", "", ("field constant_ is const", "add it to skip")),
                ("moving_", "", ("field moving_ is volatile", "add it to skip")),
                ("bits_", "", ("field bits_ is a bit-field that is private", "add it to skip"))):
            status, output, errors = outer(field, more)
            self.assertEqual((status, output, len(errors.splitlines())), (1, "", 1), errors)
            for word in words:
                self.assertIn(word, errors)
            self.assertFalse(os.path.exists(os.path.join(self.folder, "s.hpp")))
        self.assertEqual(outer("known_", 'inside.known_ = "whole"'), (0, "", ""))
        self.assertEqual(outer("points_", point), (0, "", ""))
        self.assertIn("void serialize(Archive& archive, Outer& object, unsigned) {", self.read("s.hpp"))
        self.assertIn("#include <boost/serialization/vector.hpp>", self.read("s.hpp"))
        self.assertEqual(run("check", "s.toml", "--boost", "-o", "s.hpp", folder=self.folder), (0, "", ""))
        status, _, errors = run("check", "s.toml", "-o", "s.hpp", folder=self.folder)
        self.assertEqual((status, errors), (1, "s.hpp: is not what s.toml gives: ferrygen generate s.toml -o s.hpp\n"))

    def testEachFieldIsSentOrSkippedOnce(self):
        plain = '[view.P]\ntype = "Plain"\n'
        self.assertRefused(plain + 'send = ["x"]', self.place("struct Plain"), "view P", "field y", "neither sent nor skipped", "add it to send")
        self.assertRefused(plain + 'send = ["x", "y", "z"]', "s.toml:3: view P: Plain has no field z; it has: x, y")
        self.assertRefused(plain + 'send = ["x", "y"]\nskip = ["x"]', "field x is both sent and skipped")
        self.assertRefused(plain + 'send = ["x", "y", "x"]', "field x is sent twice")
        self.assertRefused(plain + 'send = ["x: long", "y"]', "field x of Plain is int, and was long", 'write "x: int"')
        self.assertRefused('[view.T]\ntype = "Twice"\nsend = ["y", "x"]\nskip = ["Plain::x", "Twice::x"]',
                           "has no field x; it has: Plain::x, y, Twice::x")

    def testWhatNoPointerLeadsToIsRefused(self):
        self.assertOddRefused(["reference_"], "", self.place("int& reference_"), "reference_ is a reference", "add it to skip")
        self.assertOddRefused(["constant_"], "", self.place("const int constant_"), "constant_ is const", "add it to skip")
        self.assertOddRefused(["moving_"], "", self.place("volatile int moving_"), "moving_ is volatile", "add it to skip")
        self.assertOddRefused(["clocks_"], "", "clocks_ is volatile", "add it to skip")
        self.assertOddRefused(["steps_"], "", "steps_ is const", "add it to skip")
        self.assertOddRefused(["bits_"], "", self.place("unsigned bits_"), "bits_ is a bit-field that is private", "add it to skip")

    def testUnionsNeedOneAlternative(self):
        self.assertOddRefused(["first", "second"], "", self.place("union { int first"), "first and second are alternatives of one union")
        self.assertOddRefused(["either_"], "", self.place("Either either_"), "nobody knows which alternative of the union Either is live")
        self.assertEqual(self.generate(self.odd(["either_", "first"], 'inside.either_ = "E"') +
                                       '[view.E]\ntype = "Either"\nsend = ["part"]\nskip = ["whole"]'), (0, "", ""))

    def testPointersNeedAWord(self):
        self.assertOddRefused(["numbers_"], "", self.place("int* numbers_"), "pointer to int", "length.numbers_")
        self.assertOddRefused(["handle_"], "", self.place("void* handle_"), "pointer to void", 'pointer.handle_ = "null"', "add it to skip")
        self.assertEqual(self.generate(self.odd(["handle_"], 'pointer.handle_ = "null"')), (0, "", ""))
        self.assertOddRefused(["plain_"], "", self.place("Plain* plain_"), "length.plain_, one_of.plain_ or pointer.plain_")
        self.assertOddRefused(["virtual_"], 'pointer.virtual_ = "own"', "may be of a derived class", "the headers have Derived, Final, Virtual", "one_of.virtual_")
        self.assertOddRefused(["virtual_"], 'pointer.virtual_ = "shared"', "may be of a derived class", "add it to skip")
        self.assertOddRefused(["twice_"], 'pointer.twice_ = "own"', "int * does not travel")
        self.assertOddRefused(["spare_"], 'pointer.spare_ = "own"', "no raw pointer but int")
        self.assertEqual(self.generate(self.odd(["plain_", "virtual_"], 'pointer = { plain_ = "own", virtual_ = "null" }')), (0, "", ""))

    def testLengthsAreIntegersThatAreSent(self):
        self.assertOddRefused(["numbers_"], 'length.numbers_ = "n_"', self.place("long n_"), "n_ is the length of numbers_: add it to send")
        self.assertOddRefused(["numbers_", "copy_"], 'length.numbers_ = "copy_"', "is no integer but Plain")
        self.assertOddRefused(["numbers_", "n_"], 'length.numbers_ = "absent"', "has no field absent")
        self.assertOddRefused(["numbers_", "rows_", "n_", "m_"], 'length = { numbers_ = "n_", rows_ = ["n_", "m_"] }',
                              "n_ is in the lengths of several arrays")
        self.assertOddRefused(["spare_", "n_"], 'length.spare_ = "n_"', "spare_ has a length and is no pointer but int")
        self.assertOddRefused(["twice_", "n_"], 'length.twice_ = "n_"', "array of pointers behind a pointer")
        self.assertEqual(self.generate(self.odd(["numbers_", "rows_", "n_", "m_"], 'length = { numbers_ = "n_", rows_ = "m_" }')), (0, "", ""))

    def testMemoryIsThatOfArraysWithLengths(self):
        self.assertOddRefused(["numbers_", "n_"], 'length.numbers_ = "n_"\nmemory.n_ = "malloc"', self.place("long n_"),
                              "memory.n_ is said of a field that has no length")
        self.assertRefused(self.odd(["numbers_", "n_"], 'memory.numbers_ = "mmap"'), "memory.numbers_ is mmap: expected new or malloc")
        self.assertEqual(self.generate(self.odd(["numbers_", "n_"], 'length.numbers_ = "n_"\nmemory.numbers_ = "malloc"')), (0, "", ""))
        self.assertIn(", ferry::Whole, ferry::FromMalloc>", self.read("s.hpp"))

    def testChoicesAreDerivedClassesWithTheirViews(self):
        derived = '[view.D]\ntype = "Derived"\nsend = ["x", "z"]\n'
        self.assertOddRefused(["virtual_"], 'one_of.virtual_ = { Plain = "whole" }', "Plain is not derived from Virtual")
        self.assertOddRefused(["virtual_"], 'one_of.virtual_ = { Derived = "Absent" }', "Absent is no view of Derived")
        self.assertOddRefused(["virtual_"], 'one_of.virtual_ = { Absent = "whole" }', "no such type Absent")
        self.assertOddRefused(["plain_"], 'one_of.plain_ = { Plain = "whole" }', "has no virtual functions")
        self.assertOddRefused(["spare_"], 'one_of.spare_ = { Plain = "whole" }', "is no pointer but int")
        self.assertEqual(self.generate(self.odd(["virtual_"], 'one_of.virtual_ = { Derived = "D" }') + derived), (0, "", ""))
        self.assertIn("ferry::OneOf<ferry::Choice<Derived, D>>", self.read("s.hpp"))

    def testWhatDoesNotTravelByItselfNeedsAView(self):
        self.assertOddRefused(["silent_"], "", self.place("Silent silent_"), "Silent does not say what of it travels", "inside.silent_")
        self.assertOddRefused(["silent_"], 'inside.silent_ = "Absent"', "the view Absent, which is not there")
        self.assertOddRefused(["long_"], "", "long double does not travel")
        self.assertOddRefused(["copy_"], 'inside.spare_ = "Part"', "inside.spare_ is said of a field that is not sent")
        self.assertOddRefused(["copy_"], 'inside.copy_ = "Part"', "the view Part of Odd, and the field holds Plain")
        silent = '[view.S]\ntype = "Silent"\nsend = ["hidden_"]\n'
        self.assertEqual(self.generate(self.odd(["silent_"], 'inside.silent_ = "S"') + silent), (0, "", ""))
        self.assertEqual(self.generate(self.odd(["silent_"]) + silent + "default = true\n"), (0, "", ""))
        self.assertRefused(silent + 'default = true\n[view.S2]\ntype = "Silent"\nsend = ["hidden_"]\ndefault = true', "view S2",
                           "Silent has another default view already")

    def testAtomicsTravelAsTheirValues(self):
        self.write("atomics.hpp", "#pragma once\n#include <atomic>\n#include <array>\nenum class Mood { Calm };\nstruct Hidden { private: int x; };\n"
                                  "struct A {\n  std::atomic<int> count;\n  std::array<std::atomic<double>, 2> sums;\n  std::atomic<Mood> mood;\n"
                                  "  std::atomic<Hidden> hidden;\n};\n")
        text = 'format = 1\nheaders = ["atomics.hpp"]\n[view.V]\ntype = "A"\n'
        self.write("s.toml", text + 'send = ["count", "sums", "mood"]\nskip = ["hidden"]\n')
        self.assertEqual(run("generate", "s.toml", "-o", "s.hpp", folder=self.folder), (0, "", ""))
        self.write("s.toml", text + 'send = ["count", "sums", "mood", "hidden"]\n')
        status, _, errors = run("generate", "s.toml", "-o", "s.hpp", folder=self.folder)
        self.assertEqual(status, 1, errors)
        self.assertIn("Hidden does not say what of it travels", errors)

    def testAddressesOfTheProgramHaveNoView(self):
        self.write("addresses.hpp", "#pragma once\n#include <functional>\n#include <vector>\nstruct A {\n  int (*call)(int);\n  int A::* member;\n"
                                    "  void (A::*method)();\n  std::vector<void (*)()> calls;\n  std::function<void()> any;\n  int kept;\n};\n")
        names = ["call", "member", "method", "calls", "any", "kept"]
        for name, words in (("call", 'say pointer.call = "null", or add it to skip'), ("member", "is an address of the program"),
                            ("method", "is an address of the program"), ("calls", "pointer to a function"), ("any", "does not travel")):
            view = f'[view.V]\ntype = "A"\nsend = ["kept", "{name}"]\nskip = {[other for other in names if other not in (name, "kept")]}'
            self.write("s.toml", f'format = 1\nheaders = ["addresses.hpp"]\n{view}\n')
            status, _, errors = run("generate", "s.toml", "-o", "s.hpp", folder=self.folder)
            self.assertEqual(status, 1, errors)
            self.assertIn(words, errors)
            self.assertIn("to skip", errors)
            self.assertNotIn("inside.", errors)
            self.assertNotIn("length.", errors)

    def testMissingClassesAndHeadersAreNeverGuessed(self):
        view = '[view.V]\ntype = "{}"\nsend = []'
        self.assertRefused(view.format("Absent"), "s.toml:3: view V: no such type Absent")
        self.assertRefused(view.format("Incomplete"), "Incomplete is declared here and not defined")
        self.assertRefused(view.format("int"), "int is no class")
        self.assertRefused(view.format("Heir<int>"), self.place("struct Heir"), "depends on its template arguments")
        self.assertRefused(view.format("Plain"), "s.toml:2: 'absent.hpp' file not found", headers='["absent.hpp"]')
        self.write("broken.hpp", "#pragma once\n#include <absent>\n#include <vector>\nstruct Broken { std::vector<int> v; };\n")
        self.assertRefused('[view.V]\ntype = "Broken"\nsend = ["v"]', "broken.hpp:2: 'absent' file not found", headers='["broken.hpp"]')
        self.assertRefused('[view.V]\ntype = "Plain"\nsend = ["x", "y"]', "-fno-such-flag", flags=["-fno-such-flag"])

    def testWrongFormsAreTold(self):
        for text, words in (("format = 2\nheaders = []", "s.toml:1: expected format = 1, found 2"), ("format = [", "is not TOML"),
                            ('format = true\nheaders = ["a"]', "s.toml:1: expected format = 1, found True"),
                            ('format = 1\nheaders = ["a\\n#error b"]', "s.toml:2: headers has a name with"),
                            ('format = 1\nheaders = ["a"]\nnamespace = "std::more"', "s.toml:3: namespace std::more belongs to others"),
                            ('format = 1\nheaders = ["a"]\nnamespace = "my::new"', "s.toml:3: namespace is no name"),
                            ('format = 1\nheaders = ["a"]\n[view.class]\ntype = "A"', "s.toml:3: 'class' is no name of a view"),
                            ('format = 1\nheaders = ["a"]\n[view._Part]\ntype = "A"', "s.toml:3: '_Part' is no name of a view"),
                            ('format = 1\nheaders = ["a"]\n[view.a__b]\ntype = "A"', "s.toml:3: 'a__b' is no name of a view"),
                            ('format = 1\nheaders = ["a"]', "no [view.NAME]"), ("format = 1\nviews = 1", "s.toml:2: unknown key views"),
                            ('format = 1\nheaders = ["a"]\n[view.V]\ntype = "A"\nsnd = []', "s.toml:3: view V: unknown key snd"),
                            ('format = 1\nheaders = ["a"]\n[view.V]\ntype = "A"\npointer.x = "mine"', "expected own, shared or null")):
            self.write("s.toml", text)
            status, _, errors = run("generate", "s.toml", "-o", "s.hpp", folder=self.folder)
            self.assertEqual(status, 1, errors)
            self.assertIn(words, errors)
        self.assertIn("cannot be read", run("generate", "absent.toml", "-o", "s.hpp", folder=self.folder)[2])
        self.assertEqual(run("generate", "s.toml", folder=self.folder)[0], 2)

    def testMissingLibclangIsTold(self):
        self.write("s.toml", 'format = 1\nheaders = ["classes.hpp"]\n[view.P]\ntype = "Plain"\nsend = ["x", "y"]\n')
        status, _, errors = run("generate", "s.toml", "-o", "s.hpp", folder=self.folder, environment={"FERRYGEN_LIBCLANG": "/nowhere/libclang.so"})
        self.assertEqual(status, 1)
        self.assertIn("cannot load libclang (Debian: apt-get install python3-clang", errors)


if __name__ == "__main__":
    unittest.main()
