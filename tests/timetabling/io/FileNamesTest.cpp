#include <ferry/apps/timetabling/io/FileNames.hpp>

#include <string>

#include <doctest/doctest.h>

using namespace timetabling;

TEST_CASE("FileNames: a name holds plain symbols only") {
    FileNames names;
    CHECK(names.take("teacher", "O'Neil/Rossi..", ".ics") == "teacher-O_Neil_Rossi...ics");
    CHECK(names.take("room", "../../etc/passwd", ".html") == "room-.._.._etc_passwd.html");
    CHECK(names.take("room", "<img src=x onerror=alert(1)>", ".html") == "room-_img_src_x_onerror_alert_1__.html");
    CHECK(names.take("room", "", ".html") == "room-.html");
    CHECK(names.take("room", "Ω\n", ".html") == "room-___.html");
    CHECK(names.take("room", std::string("a\0b", 3), ".html") == "room-a_b.html");
}

TEST_CASE("FileNames: no name comes twice, whatever a file system thinks of capital letters") {
    FileNames names;
    CHECK(names.take("room", "a b", ".html") == "room-a_b.html");
    CHECK(names.take("room", "a_b", ".html") == "room-a_b-2.html");
    CHECK(names.take("room", "a_b-2", ".html") == "room-a_b-2-2.html");
    CHECK(names.take("room", "A_B", ".html") == "room-A_B-3.html");
    CHECK(names.take("room", "a?b", ".html") == "room-a_b-4.html");
    CHECK(names.take("teacher", "a_b", ".html") == "teacher-a_b.html");
    CHECK(names.take("room", "a_b", ".ics") == "room-a_b.ics");
}

TEST_CASE("FileNames: very long names are cut, and differ all the same") {
    FileNames names;
    const std::string longName(5000, 'x');
    const std::string first = names.take("room", longName, ".html");
    const std::string second = names.take("room", longName + "y", ".html");
    CHECK(first.size() < 200);
    CHECK(second.size() < 200);
    CHECK(first != second);
    CHECK(second.ends_with("-2.html"));
}
