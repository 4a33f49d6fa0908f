#include <ferry/apps/timetabling/sectioning/io/InstanceReader.hpp>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/apps/timetabling/io/InputError.hpp>
#include <ferry/apps/timetabling/sectioning/io/InstanceWriter.hpp>
#include <ferry/apps/timetabling/sectioning/io/SolutionFile.hpp>
#include <ferry/tests/timetabling/support/SectioningInstances.hpp>
#include <ferry/tests/timetabling/support/contains.hpp>
#include <ferry/tests/timetabling/support/damaged.hpp>

using namespace timetabling;
using namespace timetabling::sectioning;

#ifdef TIMETABLING_WITH_PUGIXML

namespace {

Instance instanceOf(const std::string& text) { return readInstance(XmlFile("small.xml", text)); }

/// The small instance with a text replaced, which has to be there.
std::string smallWith(const std::string& from, const std::string& to) {
    std::string text = smallXml();
    const std::size_t found = text.find(from);
    REQUIRE(found != std::string::npos);
    return text.replace(found, from.size(), to);
}

std::string errorOf(const std::string& text) {
    try {
        instanceOf(text);
    } catch (const InputError& error) {
        return error.what();
    }
    return "no error";
}

}    // namespace

TEST_CASE("XML of ITC-2019: all parts of an instance are read") {
    const Instance instance = instanceOf(smallXml());
    CHECK(instance.name == "small");
    CHECK(instance.weights == Weights{2, 1, 3, 5});
    CHECK(instance.rooms.size() == 3);
    CHECK(instance.rooms[0].travels == std::vector<Travel>{{1, 2}});    // in both directions
    CHECK(instance.rooms[1].travels == std::vector<Travel>{{0, 2}, {2, 3}});
    CHECK(instance.rooms[2].closings == std::vector<TimeSpan>{{0b11, 0x1FFF, 102, 24}});
    CHECK(instance.classes.size() == 5);
    CHECK(instance.classes[0].times[0] == TimeOption{{0b10101, 0x1FFF, 90, 10}, 0});
    CHECK(instance.classes[2].parent == 0);
    CHECK(instance.classes[2].limit == -1);
    CHECK_FALSE(instance.classes[2].needsRoom);
    CHECK(instance.distributions[0].isRequired);
    CHECK(instance.distributions[1].type == DistributionType::MaxBreaks);
    CHECK(std::pair(instance.distributions[1].first, instance.distributions[1].second) == std::pair(1, 4));
    CHECK(instance.students[0].courses == std::vector<int>{0, 1});
    CHECK(instance.notes.empty());
}

TEST_CASE("XML of ITC-2019: an instance that was written is read as it was") {
    Instance instance = instanceOf(smallXml());
    instance.rooms[0].id = "<\"A&B\">\n";
    CHECK(instanceOf(writeInstance(instance)) == instance);
}

TEST_CASE("XML of ITC-2019: a timetable that was written is read as it was") {
    const Problem problem(instanceOf(smallXml()));
    const Solution solution{{1, 0, 1, 0, 0}, {1, 0, -1, -1, 0}, {{0, 2, 4}, {1, 3}}};
    CHECK(readSolution(XmlFile("small.sol", writeSolution(problem, solution)), problem) == solution);
}

TEST_CASE("XML of ITC-2019: times and rooms that are none of a class are no places") {
    const Problem problem(instanceOf(smallXml()));
    const auto read = [&problem](const std::string& classes) {
        return readSolution(XmlFile("small.sol", "<solution name=\"small\">" + classes + "</solution>"), problem);
    };
    const Solution strange = read("<class id=\"Lec1\" days=\"1010100\" start=\"91\" weeks=\"1111111111111\" room=\"R3\"/>");
    CHECK(strange.times[0] == -1);
    CHECK(strange.rooms[0] == -1);
    for (const char* wrong :
         {"<class id=\"Lec9\"/>", "<class id=\"Lec1\"/><class id=\"Lec1\"/>", "<class id=\"Lec1\" room=\"R9\"/>",
          "<class id=\"Lec1\"><student id=\"9\"/></class>", "<class id=\"Lec1\"><student id=\"1\"/><student id=\"1\"/></class>",
          "<class id=\"Lec1\" days=\"101\" start=\"90\" weeks=\"1111111111111\"/>", "<class id=\"Lec1\" days=\"1010100\"/>"}) {
        CAPTURE(wrong);
        CHECK_THROWS_AS(read(wrong), InputError);
    }
    CHECK_THROWS_AS(readSolution(XmlFile("other.sol", "<solution name=\"other\"/>"), problem), InputError);
}

TEST_CASE("XML of ITC-2019: an error names the file, the line, what was expected and what was found") {
    const std::vector<std::pair<std::string, std::string>> cases{
        {smallWith("nrDays=\"7\"", "nrDays=\"many\""),
         "small.xml:4: expected attribute nrDays of <problem>: a whole number from 1 to 31, found 'many'"},
        {smallWith("days=\"1100000\"", "days=\"110000\""),
         "small.xml:13: expected attribute days of <unavailable>: 7 digits 0 or 1, one for each day, found '110000'"},
        {smallWith("weeks=\"0101010101010\"", "weeks=\"0101010101012\""),
         "small.xml:28: expected attribute weeks of <time>: 13 digits 0 or 1, one for each week, found '0101010101012'"},
        {smallWith("<travel room=\"R2\" value=\"3\"/>", "<travel room=\"R2\" value=\"3\"/><travel room=\"R2\" value=\"4\"/>"),
         "small.xml:12: expected one travel between rooms R3 and R2, found 3 and 4 slots"},
        {smallWith("parent=\"Lec1\"", "parent=\"Lec7\""),
         "small.xml:32: expected attribute parent of <class>: the id of a class of this file, found 'Lec7'"},
        {smallWith("parent=\"Lec1\"", "parent=\"Sem\""),
         "small.xml:32: expected as parent a class of another subpart of the same configuration, found 'Sem'"},
        {smallWith("class id=\"Lec2\"", "class id=\"Lec1\""), "small.xml:26: expected another id for each class, found 'Lec1' twice"},
        {smallWith("MaxBreaks(1,4)", "MaxBreaks(1)"),
         "small.xml:58: expected MaxBreaks(N,N), where N are whole numbers, found 'MaxBreaks(1)'"},
        {smallWith("MaxBreaks(1,4)", "MaxBrakes(1,4)"),
         "small.xml:58: expected a type of ITC-2019 such as NotOverlap or MaxDays(2), found 'MaxBrakes(1,4)'; did you mean 'MaxBreaks'?"},
        {smallWith("SameAttendees", "SameAttendees(1)"), "small.xml:54: expected SameAttendees, found 'SameAttendees(1)'"},
        {smallWith("penalty=\"2\">\n      <class", ">\n      <class"),
         "small.xml:58: expected attribute penalty of <distribution>, found none"},
        {smallWith("<room id=\"R3\" penalty=\"0\"/>", ""),
         "small.xml:26: expected a <room> in class Lec2, or its attribute room=\"false\", found none"},
        {smallWith("<course id=\"Law\"/>", "<course id=\"Physics\"/>"),
         "small.xml:67: expected each course once in a <student>, found 'Physics' twice"},
        {smallWith("</problem>", ""), "small.xml:73: expected XML: Start-end tags mismatch"},
        {"<fet version=\"6.1\"/>",
         "small.xml:1: expected an instance of ITC-2019, whose first element is <problem>, found a file of the "
         "program FET; export it as CSV and fill in the tables of the README, which 'solve FOLDER' takes"},
        {"<html/>", "small.xml:1: expected an instance of ITC-2019, whose first element is <problem>, found <html>"},
    };
    for (const auto& [text, expected] : cases) CHECK(errorOf(text) == expected);
}

TEST_CASE("XML of ITC-2019: parts that are not known are told, and entities are not resolved") {
    const Instance instance =
        instanceOf(smallWith("<room id=\"R1\" capacity=\"50\"/>", "<room id=\"R1\" capacity=\"50\" floor=\"2\"/><hall/>"));
    CHECK(instance.notes == std::vector<std::string>{"small.xml:7: <hall> in <rooms> is not known and was left out",
                                                     "small.xml:7: attribute floor of <room> is not known and was left out"});
    const std::string bomb = "<!DOCTYPE problem [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;\">]>\n<problem name=\"&b;\"/>";
    CHECK(test::contains(errorOf(bomb), "nrDays"));
}

TEST_CASE("XML of ITC-2019: damaged files are read or refused, and nothing else") {
    Random random(7);
    for (int i = 0; i < 2000; ++i) {
        const std::string damaged = test::damaged(smallXml(), random);
        try {
            const Problem problem(instanceOf(damaged));
        } catch (const InputError&) {}
    }
}

TEST_CASE("XML of ITC-2019: a file with too many elements is refused before it is read") {
    std::string text = "<problem>";
    for (std::size_t i = 0; i < 2 * XmlFile::mostElements; ++i) text += "<a/>";
    CHECK(test::contains(errorOf(text), "expected at most 2000000 elements, found more"));
}

#else

TEST_CASE("XML of ITC-2019: without pugixml the error names the package") {
    try {
        readInstance(XmlFile("small.xml", smallXml()));
        FAIL("no error");
    } catch (const InputError& error) {
        CHECK(test::contains(error.what(), "apt-get install libpugixml-dev"));
    }
}

#endif
