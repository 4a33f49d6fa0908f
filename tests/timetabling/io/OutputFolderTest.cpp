#include <ferry/apps/timetabling/io/OutputFolder.hpp>

#include <filesystem>
#include <fstream>

#include <doctest/doctest.h>

#include <ferry/apps/timetabling/io/InputError.hpp>
#include <ferry/apps/timetabling/io/TextFile.hpp>
#include <ferry/tests/timetabling/support/TestInstances.hpp>

using namespace timetabling;

TEST_CASE("OutputFolder: is made when it is not there, and holds what is written") {
    const std::string path = test::temporaryPath("one/two");
    OutputFolder(path).write("a.txt", "first\n");
    OutputFolder(path + "/").write("a.txt", "second\n");
    CHECK(TextFile::load(path + "/a.txt").next().text == "second");
    CHECK(std::distance(std::filesystem::directory_iterator(path), {}) == 1);
}

TEST_CASE("OutputFolder: a place that cannot be had is refused at once") {
    const std::string file = test::temporaryPath("noFolder");
    std::ofstream(file) << "text";
    CHECK_THROWS_WITH_AS(OutputFolder{file}, (file + ": is no folder").c_str(), InputError);
    CHECK_THROWS_AS(OutputFolder(file + "/below"), InputError);
    CHECK_THROWS_AS(OutputFolder(""), InputError);
}
