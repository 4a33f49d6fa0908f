#!/usr/bin/env python3
"""Asks ferrygen pick what its page asks, and what nobody should; and edits selections as it does."""
import http.client
import json
import os
import re
import socket
import sys
import tomllib
import unittest
import urllib.parse

FOLDER = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [FOLDER, os.path.join(FOLDER, "..", "..", "tools")]
from ferrygenParts.pick.editing import NotEditable, editedText, wholeText    # noqa: E402 (the path comes first)
from picking import HEADER, LIMIT_S, SELECTION, PickTest, ask    # noqa: E402


class Server(PickTest):
    def setUp(self):
        super().setUp()
        self.start()
        self.state = ask(self.url + "state")[1]

    def view(self, name):
        return next(view for view in self.state["views"] if view["name"] == name)

    def post(self, what, **more):
        return ask(self.url + what, {"generation": self.state["generation"], "views": self.state["views"], **more})

    def classState(self, number):
        return ask(f"{self.url}class/{self.state['generation']}/{number}")

    def move(self, view, field, type_=None):
        """Moves the field from skip to send."""
        self.view(view)["skip"].remove(field)
        self.view(view)["send"].append({"field": field, "type": type_})

    def testTheStateAndClassesThatAreOpened(self):
        self.assertEqual([view["name"] for view in self.state["views"]], ["ToWorker", "ToMaster"])
        self.assertEqual(self.view("ToWorker")["send"], [{"field": "mass_", "type": "float"}, {"field": "x_", "type": "float"}])
        self.assertEqual(self.view("ToWorker")["class"], self.view("ToMaster")["class"])
        status, shown = self.classState(self.view("ToWorker")["class"])
        self.assertEqual(status, 200)
        fields = {field["name"]: field for field in shown["fields"]}
        self.assertEqual(list(fields), ["mass_", "x_", "part_", "range_", "constructor", "near_", "next_", "samples_", "count_", "reference_", "bits_"])
        self.assertEqual((fields["mass_"]["type"], fields["mass_"]["notes"], fields["mass_"]["comment"]), ("float", ["private"], "in kg"))
        self.assertEqual(fields["next_"]["class"], shown["class"])    # a circle of classes opens as far as a user asks
        self.assertEqual(set(fields["next_"]["says"]), {"inside", "length", "memory", "pointer", "one_of"})
        self.assertIn("is a reference", fields["reference_"]["refused"])
        self.assertIn("bit-field", fields["bits_"]["refused"])
        self.assertIsNone(fields["mass_"]["refused"])
        part = self.classState(fields["part_"]["class"])[1]
        self.assertEqual([field["comment"] for field in part["fields"]], ["<script>alert('comment')</script>", "</script><script>alert(2)</script>"])
        self.assertEqual(self.classState(fields["range_"]["class"])[1]["text"], "decltype(Mass::range_)")
        self.assertEqual(self.classState(99)[0], 400)

    def testSavingChangesWhatHasChanged(self):
        self.move("ToWorker", "count_", "long")
        self.assertEqual(self.post("check"), (200, {"problems": []}))
        self.assertEqual(self.read(), SELECTION)
        os.chmod(self.path("mass.toml"), 0o640)
        self.assertEqual(self.post("save"), (200, {"saved": True, "problems": [], "lostComments": []}))
        self.assertEqual(self.read(), SELECTION.replace('"x_: float"]\n', '"x_: float", "count_: long"]\n').replace('"samples_", "count_"', '"samples_"', 1))
        self.assertEqual(os.stat(self.path("mass.toml")).st_mode & 0o777, 0o640)
        self.assertEqual(sorted(os.listdir(self.folder)), ["mass.hpp", "mass.toml"])
        self.move("ToMaster", "count_")
        answer = self.post("save")[1]
        self.assertEqual((answer["saved"], answer["lostComments"]), (True, ["# this alone"]))
        self.assertIn("# What they give back.", self.read())
        self.assertEqual(self.execute("generate", "mass.toml", "-o", "mass.views.hpp")[0], 0)

    def testANewPartIsAddedAtTheEnd(self):
        part = self.classState(self.view("ToWorker")["class"])[1]["fields"][2]
        self.state["views"].append({"name": "PartOnly", "type": "Part", "class": part["class"], "default": True, "send": [{"field": "a_", "type": "int"}],
                                    "skip": ["b_"], "inside": {}, "length": {}, "one_of": {}, "pointer": {}})
        self.move("ToWorker", "part_")
        self.view("ToWorker")["inside"]["part_"] = "PartOnly"
        self.move("ToWorker", "next_")
        self.view("ToWorker")["pointer"]["next_"] = "null"
        self.move("ToWorker", "count_")
        self.move("ToWorker", "samples_")
        self.view("ToWorker")["length"]["samples_"] = ["count_"]
        self.assertEqual(self.post("save")[1], {"saved": True, "problems": [], "lostComments": []})
        view = tomllib.loads(self.read())["view"]
        self.assertEqual(view["PartOnly"], {"type": "Part", "default": True, "send": ["a_: int"], "skip": ["b_"]})
        self.assertEqual((view["ToWorker"]["inside"], view["ToWorker"]["pointer"], view["ToWorker"]["length"]),
                         ({"part_": "PartOnly"}, {"next_": "null"}, {"samples_": "count_"}))
        self.assertIn("# What they give back.", self.read())

    def testWhatFerrygenRefusesIsToldInItsWords(self):
        self.move("ToWorker", "next_")
        self.move("ToMaster", "reference_")
        status, answer = self.post("save")
        self.assertEqual((status, answer["saved"], answer["mayAnyway"]), (200, False, True))
        self.assertIn("mass.hpp:19: view ToWorker: field next_ is a pointer to Mass: say what is behind it with length.next_, one_of.next_ or "
                      "pointer.next_, or add it to skip", answer["problems"][0].removeprefix(self.folder + "/"))
        self.assertIn("reference_ is a reference", answer["problems"][1])
        self.assertEqual(self.read(), SELECTION)
        self.assertTrue(self.post("save", anyway=True)[1]["saved"])
        self.assertNotEqual(self.read(), SELECTION)

    def testAFileThatChangedMeanwhileIsNotOverwritten(self):
        self.move("ToWorker", "count_")
        self.write("mass.toml", SELECTION + "# by somebody else\n")
        answer = self.post("save")[1]
        self.assertIn("has changed since this page was opened", answer["problems"][0])
        self.assertEqual(self.read(), SELECTION + "# by somebody else\n")
        self.state = ask(self.url + "state")[1]
        self.move("ToWorker", "count_")
        self.assertTrue(self.post("save")[1]["saved"])

    def testAPageThatIsOldIsTold(self):
        ask(self.url + "state")
        self.assertIn("reload", self.post("save")[1]["error"])
        self.assertIn("reload", self.classState(0)[1]["error"])

    def testHeadersThatDoNotCompileAreTold(self):
        self.write("mass.hpp", HEADER.replace("<vector>", "<absent>"))
        state = ask(self.url + "state")[1]
        self.assertIn("'absent' file not found", state["problems"][0])
        self.write("mass.toml", "format = [")
        self.assertIn("is not TOML", ask(self.url + "state")[1]["problems"][0])

    def testNobodyElseIsAnswered(self):
        url = urllib.parse.urlsplit(self.url)
        good = {"generation": self.state["generation"], "views": self.state["views"]}
        for wrong in ({"Origin": "http://evil.example"}, {"Origin": "null"}, {"Content-Type": "text/plain"}):
            self.assertEqual(ask(self.url + "save", good, wrong)[0], 403)
        for path in ("/", "/state", "/wrong/state", f"/{url.path.split('/')[1]}x/state", f"/{url.path.split('/')[1][:-1]}/state", "//state"):
            self.assertEqual(ask(f"http://{url.netloc}{path}")[0], 403, path)
        self.assertEqual(ask(self.url + "state", headers={"Host": "evil.example"})[0], 403)
        with socket.create_connection((url.hostname, url.port), LIMIT_S) as peer:
            peer.sendall(f"GET {url.path}state HTTP/1.1\r\nHost: {url.netloc}\r\nHost: evil.example\r\n\r\n".encode())
            self.assertRegex(peer.recv(100), rb"^HTTP/1\.\d 403 ")
        for path in ("absent", "class/1", "class/1/" + "9" * 5000, "class/1/x", "class/1/1/1", "save", "../state"):
            self.assertEqual(ask(self.url + path)[0], 404, path)
        self.assertEqual(ask(self.url + "absent", good)[0], 404)
        self.assertEqual(self.read(), SELECTION)

    def testConnectionsThatSayNothingKeepNobodyOut(self):
        port = int(re.search(r":(\d+)/", self.url).group(1))
        silent = [socket.create_connection(("127.0.0.1", port), LIMIT_S) for _ in range(100)]
        self.assertEqual(ask(f"{self.url}state")[0], 200)
        for peer in silent[:60]:
            self.assertEqual(peer.recv(1), b"")    # the server has closed the oldest connections
        for peer in silent:
            peer.close()

    def testDamagedRequestsAreRefused(self):
        views = self.state["views"]
        bad = ["{", "[]", "[" * 100000, {}, {"generation": 1, "views": 1}, {"views": views}]
        for change in ({"name": "a b"}, {"name": None}, {"type": 1}, {"type": "Ma\nss"}, {"send": "x_"}, {"send": [{"field": 1, "type": None}]},
                       {"skip": [1]}, {"inside": {"x_": 1}}, {"length": {"x_": "n"}}, {"one_of": {"x_": "n"}}, {"default": 1}, {"more": 1},
                       {"name": "ToMaster"}):
            bad.append({"generation": self.state["generation"], "views": [{**views[0], **change}, *views[1:]]})
        for each in bad:
            self.assertEqual(ask(self.url + "save", each)[0], 400, str(each)[:300])
        url = urllib.parse.urlsplit(self.url)
        for length in ("99999999999999", "-1", "2000000", "x"):
            connection = http.client.HTTPConnection(url.netloc, timeout=300)
            connection.putrequest("POST", url.path + "save")
            for name, value in (("Origin", f"http://{url.netloc}"), ("Content-Type", "application/json"), ("Content-Length", length)):
                connection.putheader(name, value)
            connection.endheaders()
            self.assertEqual(connection.getresponse().status, 413)
            connection.close()
        self.assertEqual(ask(self.url + "state")[0], 200)
        self.assertEqual(self.read(), SELECTION)

    def testCtrlCEndsItWithoutAWord(self):
        self.assertEqual(self.interrupt(), (0, "", ""))


class Pages(PickTest):
    def testTheServedPageAsksForNothingElse(self):
        page = ask(self.start())[1]
        self.assertIn("Content-Security-Policy", page)
        self.assertIn("default-src 'none'", page)
        self.assertIn("connect-src 'self'", page)
        self.assertNotRegex(page, r"(src|href)=.?(http|//)")

    def testAStaticPageHasAllClasses(self):
        self.assertEqual(self.execute("pick", "mass.toml", "--static", "page.html"), (0, "", ""))
        page = self.read("page.html")
        self.assertIn("connect-src 'none'", page)
        data = json.loads(page.split('id="data">')[1].split("</script>")[0])
        self.assertEqual([each["text"] for each in data["classes"]], ["Mass", "Part", "decltype(Mass::range_)"])
        self.assertEqual(data["classes"][1]["fields"][0]["comment"], "<script>alert('comment')</script>")
        self.assertNotIn("<script>alert", page)

    def testAWrongCallIsTold(self):
        self.assertIn("cannot be read", self.execute("pick", "absent.toml")[2])
        self.assertEqual(self.execute("pick", "mass.toml", "--port", "70000")[0], 2)
        self.assertEqual(self.execute("pick", "mass.toml", "--port", "1", "--static", "x")[0], 2)


class Editing(unittest.TestCase):
    def edited(self, text, name, **keys):
        content = tomllib.loads(text)["view"][name]
        return editedText(text, {name: {**content, **keys}})

    def testFormsOfValues(self):
        head = 'format = 1\nheaders = ["a"]\n'
        for form, after in (('send = ["a"] # c\n', 'send = ["b"]\n'), ("send = [\n  'a', # x ] y\n]", 'send = ["b"]\n'),
                            ('send = ["""a"""]\nskip=["[view.W]"]\n', 'send = ["b"]\nskip=["[view.W]"]\n')):
            text, _ = self.edited(f'{head}[view.V]\ntype = "T"\n{form}', "V", send=["b"])
            self.assertEqual(text, f'{head}[view.V]\ntype = "T"\n{after}')

    def testKeysThatComeAndGo(self):
        text = 'format = 1\nheaders = ["a"]\n[view.V]\ntype = "T"\nsend = ["a"]\npointer.a = "own"\npointer.b = "own" # why\n\n# next\n[view.W]\ntype = "T"\n'
        after, lost = self.edited(text, "V", pointer={"a": "null"}, inside={"x y": "W"})
        self.assertEqual(after, text.replace('pointer.a = "own"\npointer.b = "own" # why\n', 'pointer.a = "null"\ninside."x y" = "W"\n'))
        self.assertEqual(lost, ["# why"])
        gone, _ = editedText(text, {"V": {"type": "T", "send": ["a"]}})
        self.assertEqual(gone, text.replace('pointer.a = "own"\npointer.b = "own" # why\n', ""))
        inline = text.replace('pointer.a = "own"\npointer.b = "own" # why', 'pointer = { a = "own" }')
        self.assertEqual(tomllib.loads(self.edited(inline, "V", pointer={"a": "null"})[0])["view"]["V"]["pointer"], {"a": "null"})

    def testOtherFormsAreLeftToTheUser(self):
        for text in ('format = 1\nheaders = []\nview.V = { type = "T", send = ["a"] }\n',
                     'format = 1\nheaders = []\n[view."V"]\ntype = "T"\nsend = ["a"]\n',
                     'format = 1\nheaders = []\n[view.V]\ntype = "T"\nsend = ["a"]\n[view.V.pointer]\na = "own"\n'):
            content = tomllib.loads(text)["view"]["V"]
            with self.assertRaises(NotEditable):
                editedText(text, {"V": {**content, "send": ["b"], "pointer": {"b": "own"}}})

    def testTheWholeFileWrittenAnew(self):
        content = {"format": 1, "headers": ["a\\b", 'c"d'], "namespace": "n", "view": {"V": {
            "type": "T", "default": True, "send": [f"field{i}: int" for i in range(30)], "skip": [], "inside": {"a": "whole"},
            "length": {"b": ["n", "m"]}, "one_of": {"c": {"zoo::A": "B"}}, "pointer": {"Base::d": "own"}}}}
        self.assertEqual(tomllib.loads(wholeText(content)), content)


if __name__ == "__main__":
    unittest.main()
