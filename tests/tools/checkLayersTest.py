#!/usr/bin/env python3
"""Plants violations of the architecture in a temporary tree and requires that tools/checkLayers reports each kind."""
import os
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from launching import run    # noqa: E402 (the path comes first)

TOOL = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "tools", "checkLayers")

# A small tree without violations, so that every report is about a violation that a test has planted.
SOUND_TREE = {
    "ferry.hpp": "#include <ferry/framework/master/Master.hpp>\n",
    "serialization/ints/ClassId.hpp": "#include <cstdint>\n",
    "serialization/ints/IntWriter.hpp": "#include <ferry/serialization/ints/ClassId.hpp>\n",
    "serialization/boost/BoostBridge.hpp": "#include <boost/archive/binary_oarchive.hpp>\n#include <boost/serialization/map.hpp>\n",
    "connector/transport/Transport.hpp": "#include <ferry/serialization/ints/IntWriter.hpp>\n",
    "connector/transport/mpi/MpiTransport.cpp": "#include <ferry/connector/transport/Transport.hpp>\n#include <mpi.h>\n",
    "guard/calls/Interpose.cpp": "#include <mpi.h>\n",
    "connector/Connector.hpp": "#include <ferry/connector/transport/Transport.hpp>\n",
    "framework/master/Master.hpp": "#include <ferry/connector/Connector.hpp>\n",
    "framework/master/Master.cpp": "#include <ferry/framework/master/Master.hpp>\n#include <spdlog/spdlog.h>\n",
    "apps/timetabling/main.cpp": "#include <ferry/ferry.hpp>\n",
    "tests/connector/ConnectorTest.cpp": "#include <ferry/ferry.hpp>\n#include <mpi.h>\n#include <boost/archive/text_oarchive.hpp>\n",
    "build/debug/stray.cpp": '#include "nowhere.hpp"\n',
    "docs/page.md": "#include \"nowhere.hpp\"\n" * 500,
}


class CheckLayersTest(unittest.TestCase):
    def check(self, planted):
        """Runs the tool on the sound tree plus the planted files; returns its exit status and its lines without the summary."""
        with tempfile.TemporaryDirectory() as root:
            for path, text in {**SOUND_TREE, **planted}.items():
                full = os.path.join(root, path)
                os.makedirs(os.path.dirname(full), exist_ok=True)
                with open(full, "w", encoding="utf-8") as file:
                    file.write(text)
            done = run([sys.executable, TOOL, root])
        self.assertEqual(done.stderr, "")
        return done.returncode, done.stdout.splitlines()[:-1]

    def assertReported(self, planted, *places):
        """Each place is (`file:line`, words of the report). The tool must not report anything else."""
        status, lines = self.check(planted)
        self.assertEqual(status, 1, lines)
        self.assertEqual(len(lines), len(places), lines)
        for place, words in places:
            self.assertTrue(any(line.startswith(place + ": ") and words in line for line in lines), f"{place} {words}: {lines}")

    def testSoundTreeIsClean(self):
        self.assertEqual(self.check({}), (0, []))

    def testLayersIncludeDownwardOnly(self):
        self.assertReported({
            "serialization/codec/View.cpp": "\n#include <ferry/connector/Connector.hpp>\n",
            "connector/region/RegionRunner.hpp": "#include <ferry/framework/master/Master.hpp>\n",
            "framework/Slave.cpp": "#include <ferry/apps/timetabling/model/Room.hpp>\n",
            "framework/Task.cpp": "#include <ferry/ferry.hpp>\n",
            "apps/timetabling/model/Room.hpp": "#include <ferry/tests/support/Helper.hpp>\n",
            "tests/support/Helper.hpp": "#pragma once\n",
        }, ("serialization/codec/View.cpp:2", "upward"), ("connector/region/RegionRunner.hpp:1", "upward"), ("framework/Slave.cpp:1", "upward"),
            ("framework/Task.cpp:1", "upward"), ("apps/timetabling/model/Room.hpp:1", "upward"))

    def testRoomsIncludeDownwardOnly(self):
        self.assertReported({
            "serialization/ints/IntReader.cpp": "#include <ferry/serialization/exception/UsageError.hpp>\n",
            "serialization/exception/UsageError.hpp": "#include <ferry/serialization/Class.hpp>\n",
            "serialization/Class.hpp": "#include <ferry/serialization/ints/IntWriter.hpp>\n",
            "serialization/reference/ReferenceReader.hpp": "#include <ferry/serialization/codec/CodecPointer.hpp>\n",
            "serialization/codec/CodecPointer.hpp": "#pragma once\n",
            "serialization/graph/Graph.hpp": "#include <ferry/serialization/checkpoint/CheckpointFile.hpp>\n",
            "serialization/checkpoint/CheckpointFile.hpp": "#pragma once\n",
            "connector/transport/Wake.cpp": "#include <ferry/connector/message/Message.hpp>\n",
            "connector/message/Message.hpp": "#include <ferry/connector/collective/Tree.hpp>\n",
            "connector/collective/Tree.hpp": "#include <ferry/connector/Connector.hpp>\n",
            "guard/calls/Guarded.cpp": "#include <ferry/connector/Connector.hpp>\n",
            "framework/schedule/Agenda.cpp": "#include <ferry/framework/master/Master.hpp>\n",
        }, ("serialization/ints/IntReader.cpp:1", "upward"), ("serialization/reference/ReferenceReader.hpp:1", "upward"),
            ("serialization/graph/Graph.hpp:1", "upward"), ("connector/transport/Wake.cpp:1", "upward"),
            ("connector/message/Message.hpp:1", "upward"), ("connector/collective/Tree.hpp:1", "upward"),
            ("guard/calls/Guarded.cpp:1", "upward"), ("framework/schedule/Agenda.cpp:1", "upward"))

    def testProgramsOfUsersIncludeDoors(self):
        self.assertReported({
            "objects.hpp": "#include <ferry/serialization/ints/IntWriter.hpp>\n",
            "apps/solver/main.cpp": "#include <ferry/objects.hpp>\n#include <ferry/framework/master/Master.hpp>\n",
            "examples/one.cpp": "#include <ferry/examples/two.hpp>\n#include <ferry/connector/Connector.hpp>\n",
            "examples/two.hpp": "#pragma once\n",
            "apps/ferryFile/main.cpp": "#include <ferry/serialization/ints/IntWriter.hpp>\n",
            "README.md": "# Ferry\n\n    #include <ferry/ferry.hpp>\n    #include <ferry/connector/Connector.hpp>\n",
        }, ("apps/solver/main.cpp:2", "lies in a folder"), ("examples/one.cpp:2", "lies in a folder"), ("README.md:4", "lies in a folder"))

    def testDoorsBringNoHeavyHeaders(self):
        self.assertReported({
            "connector/transport/Transport.hpp": "#include <sys/socket.h>\n#include <ferry/serialization/ints/durations.hpp>\n",
            "connector/transport/Transport.cpp": "#include <ferry/connector/transport/Transport.hpp>\n#include <csignal>\n#include <fmt/format.h>\n",
            "serialization/ints/durations.hpp": "#include <chrono>\n",
            "connector/Clock.hpp": "#include <chrono>\n",
            "framework/master/Master.hpp": "\n#include <ferry/connector/Connector.hpp>\n#include <fmt/core.h>\n#include <fmt/format.h>\n#include <ranges>\n",
        }, ("connector/transport/Transport.hpp:1", "<sys/socket.h> comes with a door"),
           ("framework/master/Master.hpp:4", "<fmt/format.h> comes with a door"), ("framework/master/Master.hpp:5", "<ranges> comes with a door"))

    def testEachFolderOfTheLibraryIsARoom(self):
        self.assertReported({"framework/stray/A.hpp": "#pragma once\n"}, ("framework/stray/A.hpp:1", "in no room"))

    def testNamesOccurOnce(self):
        self.assertReported({
            "framework/slave/Watchdog.hpp": "#pragma once\n",
            "guard/region/Watchdog.hpp": "#pragma once\n",
        }, ("guard/region/Watchdog.hpp:1", "same name"))

    def testLargeClassesAreReported(self):
        functions = "".join(f"    void f{i}();\n    int g{i}() const {{ return {i}; }}\n" for i in range(16))
        members = "".join(f"    int m{i}_ = {i};\n" for i in range(16))
        self.assertReported({
            "framework/slave/Wide.hpp": f"#pragma once\n\nclass Wide {{\npublic:\n{functions}}};\n",
            "framework/slave/Fat.hpp": f"#pragma once\n\nclass Fat {{\npublic:\n    void f();\n\nprivate:\n    void g();\n{members}}};\n",
            "framework/slave/Small.hpp": f"#pragma once\n\nclass Small {{\npublic:\n    void f();\n\nprivate:\n{functions}    int m_ = 0;\n}};\n",
        }, ("framework/slave/Wide.hpp:3", "32 public functions"), ("framework/slave/Fat.hpp:3", "16 data members"))

    def testAClassHasOneSource(self):
        self.assertReported({
            "framework/slave/Small.hpp": "#pragma once\n\nclass Small {\npublic:\n    void f();\n    int g();\n};\n",
            "framework/slave/Small.cpp": "#include <ferry/framework/slave/Small.hpp>\n\nvoid Small::f() {}\n",
            "framework/slave/SmallMore.cpp": "#include <ferry/framework/slave/Small.hpp>\n\nint Small::g() { return 1; }\n",
        }, ("framework/slave/Small.hpp:3", "framework/slave/Small.cpp and framework/slave/SmallMore.cpp"))

    def testMpiStaysInItsRooms(self):
        self.assertReported({
            "connector/region/RegionRunner.cpp": "#include <cstdio>\n#include <mpi.h>\n",
            "connector/transport/ThreadTransport.cpp": "#include \"mpi.h\"\n",
            "framework/Watcher.cpp": "#  include <mpi-ext.h>\n",
            "apps/timetabling/main.cpp": "#include <mpi.h>\n",
            "serialization/NotMpi.cpp": "#include <ompi.h>\n// #include <mpi.h>\n/*\n#include <mpi.h>\n*/\n",
        }, ("connector/region/RegionRunner.cpp:2", "outside the rooms of MPI"), ("connector/transport/ThreadTransport.cpp:1", "outside the rooms of MPI"),
            ("framework/Watcher.cpp:1", "outside the rooms of MPI"), ("apps/timetabling/main.cpp:1", "outside the rooms of MPI"))

    def testBoostSerializationStaysInItsRoom(self):
        self.assertReported({
            "serialization/Codec.hpp": "#include <boost/pfr.hpp>\n#include <boost/serialization/vector.hpp>\n",
            "connector/message/Message.cpp": "#include <boost/archive/text_iarchive.hpp>\n",
        }, ("serialization/Codec.hpp:2", "outside the rooms of Boost.Serialization"),
            ("connector/message/Message.cpp:1", "outside the rooms of Boost.Serialization"))

    def testObjectsMeetFilesInCheckpointOnly(self):
        self.assertReported({
            "serialization/Codec.hpp": "#include <fstream>\n",
            "serialization/graph/GraphWriter.cpp": "#include <vector>\n#include <sys/stat.h>\n",
            "serialization/file/InputFile.cpp": "#include <fcntl.h>\n",
        }, ("serialization/Codec.hpp:1", "outside the rooms of input and output"),
            ("serialization/graph/GraphWriter.cpp:2", "outside the rooms of input and output"))

    def testHeadersOfLinuxStayWithThePlatform(self):
        self.assertReported({
            "serialization/platform/Linux.cpp": "#include <linux/magic.h>\n#include <sys/eventfd.h>\n",
            "framework/watch/Sockets.cpp": "#include <sys/socket.h>\n#include <sys/eventfd.h>\n",
            "connector/transport/mpi/MpiHost.cpp": "#include <sched.h>\n",
        }, ("framework/watch/Sockets.cpp:2", "outside the rooms of Linux"), ("connector/transport/mpi/MpiHost.cpp:1", "outside the rooms of Linux"))

    def testNoNumberIsTheKindOfTwoLetters(self):
        self.assertReported({
            "connector/message/letter/Envelope.hpp": "enum class MessageKind : std::int32_t {\n    Object = 1,\n    Value = 2,\n};\n",
            "framework/parcel/JobKind.hpp": "struct JobKind {\n    static constexpr MessageKind Request{4};\n"
                                            "    static constexpr MessageKind Response{2};\n};\n",
        }, ("framework/parcel/JobKind.hpp:3", "letter kind Response has the number 2 of Value"))

    def testDevicesAndConnectorsAreStrangers(self):
        self.assertReported({
            "device/Device.hpp": "#include <ferry/serialization/Codec.hpp>\n",
            "device/image/Image.cpp": "#include <ferry/connector/Connector.hpp>\n",
            "framework/Slave.cpp": "#include <ferry/device/Device.hpp>\n",
            "serialization/Codec.hpp": "",
            "connector/Connector.hpp": "",
        }, ("device/image/Image.cpp:1", "belongs to a layer that device/ does not know"),
            ("framework/Slave.cpp:1", "belongs to a layer that framework/ does not know"))

    def testOwnFilesAreSpelledFromTheRoot(self):
        self.assertReported({
            "serialization/ints/A.cpp": '#include "ClassId.hpp"\n',
            "serialization/B.cpp": '#include "../connector/Connector.hpp"\n',
            "serialization/C.cpp": "#include <serialization/ints/ClassId.hpp>\n",
            "serialization/D.cpp": "#include <ferry/serialization/../serialization/ints/ClassId.hpp>\n",
            "serialization/E.cpp": '#include "ferry/serialization/ints/ClassId.hpp"\n',
            "tests/F.cpp": '#include "connector/Connector.hpp"\n',
        }, ("serialization/ints/A.cpp:1", "write <ferry/serialization/ints/ClassId.hpp>"),
            ("serialization/B.cpp:1", "write <ferry/connector/Connector.hpp>"),
            ("serialization/C.cpp:1", "write <ferry/serialization/ints/ClassId.hpp>"),
            ("serialization/D.cpp:1", "write <ferry/serialization/ints/ClassId.hpp>"),
            ("serialization/E.cpp:1", "write <ferry/serialization/ints/ClassId.hpp>"),
            ("tests/F.cpp:1", "write <ferry/connector/Connector.hpp>"))

    def testIncludedHeadersExist(self):
        self.assertReported({
            "serialization/A.cpp": "#include <ferry/serialization/Missing.hpp>\n",
            "serialization/B.cpp": '#include "missing.hpp"\n',
            "serialization/C.cpp": "#include CHOSEN_HEADER\n",
            "serialization/Outside.cpp": "#include <ferry/../ferry.hpp>\n",
        }, ("serialization/A.cpp:1", "does not exist"), ("serialization/B.cpp:1", "does not exist"),
            ("serialization/C.cpp:1", "macro"), ("serialization/Outside.cpp:1", "does not exist"))

    def testIncludeCyclesAreReportedOnce(self):
        self.assertReported({
            "framework/A.hpp": "#include <ferry/framework/B.hpp>\n",
            "framework/B.hpp": "#pragma once\n\n#include <ferry/framework/C.hpp>\n",
            "framework/C.hpp": "#include <ferry/framework/A.hpp>\n",
            "framework/Own.hpp": "#include <ferry/framework/Own.hpp>\n",
            "framework/User.cpp": "#include <ferry/framework/B.hpp>\n",
        }, ("framework/C.hpp:1", "include cycle: framework/A.hpp -> framework/B.hpp -> framework/C.hpp -> framework/A.hpp"),
            ("framework/Own.hpp:1", "include cycle: framework/Own.hpp -> framework/Own.hpp"))

    def testLongFilesAreReported(self):
        self.assertReported({
            "framework/Long.cpp": "int a;\n" * 801,
            "framework/JustRight.cpp": "int a;\n" * 800,
            "tests/tools/long.py": "a = 1\n" * 900,
            "cmake/Long.cmake": "# a\n" * 801,
            "tools/longScript": "#!/bin/sh\n" + "true\n" * 800,
            "tools/list": "name\n" * 1800,
        }, ("framework/Long.cpp:801", "801 lines"), ("tests/tools/long.py:801", "900 lines"),
            ("cmake/Long.cmake:801", "801 lines"), ("tools/longScript:801", "801 lines"))

    def testCommentsNameTheirSubjects(self):
        self.assertReported({
            "framework/slave/A.hpp": "/// What a slave has.\nint a;\n\n    // The same for others.\nint b;\n/// The tasks.\n/// What follows.\nint c;\n",
            "tests/B.cpp": "// What others do.\n",
        }, ("framework/slave/A.hpp:1", "'What'"), ("framework/slave/A.hpp:4", "'The same'"), ("tests/B.cpp:1", "'What'"))

    def testStaticObjectsOfFunctionsAreNeverDestroyed(self):
        self.assertReported({
            "connector/Names.cpp": "const std::string& host() {\n    static const std::string text = read();\n    return text;\n}\n",
            "framework/Made.cpp": "void make() {\n    static Registry made;\n    static const std::map<int, long> all{{1, 2}};\n}\n",
            "serialization/ints/Sound.cpp": "void f() {\n    static std::atomic<int> last{0};\n    static const std::string& text = *new std::string;\n"
                                            "    static const bool isSet = [] { return true; }();\n    static Cache* cache = nullptr;\n}\n",
            "tests/connector/Test.cpp": "void f() {\n    static std::string text;\n}\n",
        }, ("connector/Names.cpp:2", "exit()"), ("framework/Made.cpp:2", "exit()"), ("framework/Made.cpp:3", "exit()"))

    def testOnlyOneRoomUsesTheInterfaceToFortran(self):
        self.assertReported({
            "guard/known/Later.hpp": "#pragma once\nvoid set(MPI_Fint* variable);\n",
            "connector/Handle.cpp": "// MPI_Fint in a comment\nint numberOf(MPI_Comm comm) { return MPI_Comm_c2f(comm); }\n",
            "guard/calls/Fortran.hpp": "#pragma once\nvoid set(MPI_Fint* variable);\n",
        }, ("guard/known/Later.hpp:2", "Fortran"), ("connector/Handle.cpp:2", "Fortran"))

    def testEverySourceHasARoom(self):
        self.assertReported({"misc/Stray.hpp": "#pragma once\n"}, ("misc/Stray.hpp:1", "in no room"))

    def testTextThatOnlyLooksLikeAnIncludeIsLeftAlone(self):
        self.assertEqual(self.check({
            "serialization/Texts.cpp": 'const char* a = R"(\n#include "nowhere.hpp"\n)";\nconst char* b = "/*";\n'
                                       "const int c = 1'000;\n#if __has_include(<mpi.h>)\n#endif\n"
                                       '// a comment that goes on \\\n#include "nowhere.hpp"\n',
        }), (0, []))

    def testAnIncludeAfterTextThatLooksLikeACommentIsSeen(self):
        self.assertReported({
            "serialization/Texts.cpp": 'const char* a = "/*";\n#include <mpi.h> // comment\nconst char b = \'"\'; /* "\n*/\n#include <mpi.h>\n',
        }, ("serialization/Texts.cpp:2", "MPI"), ("serialization/Texts.cpp:5", "MPI"))

    def testWrongUseIsRefused(self):
        done = run([sys.executable, TOOL, "/nowhere/at/all"])
        self.assertEqual(done.returncode, 2)
        self.assertIn("is not a folder", done.stderr)


if __name__ == "__main__":
    unittest.main()
