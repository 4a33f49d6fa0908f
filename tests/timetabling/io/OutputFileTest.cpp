#include <ferry/apps/timetabling/io/OutputFile.hpp>

#include <sys/stat.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>

#include <doctest/doctest.h>

#include <ferry/apps/timetabling/io/InputError.hpp>
#include <ferry/apps/timetabling/io/TextFile.hpp>
#include <ferry/tests/timetabling/support/TestInstances.hpp>

using namespace timetabling;
using namespace timetabling::curriculum;

TEST_CASE("OutputFile: writes the whole text in place of the old one") {
    const std::string path = test::temporaryPath("out.txt");
    OutputFile(path).write("a long first text\n");
    OutputFile(path).write("second\n");
    CHECK(std::filesystem::file_size(path) == 7);
    CHECK(TextFile::load(path).next().text == "second");
}

TEST_CASE("OutputFile: a file that is never written leaves no trace, and an old one stays as it was") {
    const std::string path = test::temporaryPath("unwritten.txt");
    { const OutputFile file(path); }
    CHECK_FALSE(std::filesystem::exists(path));
    OutputFile(path).write("old\n");
    { const OutputFile file(path); }
    CHECK(std::filesystem::file_size(path) == 4);
}

TEST_CASE("OutputFile: a place that cannot be written is refused when it is opened") {
    CHECK_THROWS_AS(OutputFile(test::temporaryPath("missing/out.txt")), InputError);
    const std::string folder = test::temporaryPath("outFolder");
    std::filesystem::create_directory(folder);
    CHECK_THROWS_AS(OutputFile{folder}, InputError);
    CHECK_THROWS_AS(OutputFile{std::string()}, InputError);
}

TEST_CASE("OutputFile: a full disk is an error, not a truncated file") {
    CHECK_THROWS_AS(OutputFile("/dev/full").write("text"), InputError);
}

TEST_CASE("OutputFile: a new text comes at once, beside nothing else, with the rights of the old one, through links") {
    const std::string folder = test::temporaryPath("atOnce");
    std::filesystem::create_directory(folder);
    const std::string path = folder + "/file.txt";
    OutputFile(path).write("old\n");
    std::filesystem::permissions(path, std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
    std::filesystem::create_symlink("file.txt", folder + "/link.txt");
    std::ifstream reader(path);
    OutputFile(folder + "/link.txt").write("new\n");
    std::string line;
    CHECK(std::getline(reader, line));
    CHECK(line == "old");    // a reader of the old file reads it to its end
    CHECK(TextFile::load(path).next().text == "new");
    CHECK(std::filesystem::is_symlink(folder + "/link.txt"));
    CHECK(std::filesystem::status(path).permissions() == (std::filesystem::perms::owner_read | std::filesystem::perms::owner_write));
    CHECK(std::distance(std::filesystem::directory_iterator(folder), {}) == 2);
}

TEST_CASE("OutputFile: a link to a missing file stays, and that file is written") {
    const std::string folder = test::temporaryPath("toNothing");
    std::filesystem::create_directory(folder);
    std::filesystem::create_symlink("there.txt", folder + "/link.txt");
    const OutputFile file(folder + "/link.txt");
    CHECK_FALSE(std::filesystem::exists(folder + "/there.txt"));
    file.write("text\n");
    CHECK(std::filesystem::is_symlink(folder + "/link.txt"));
    CHECK(TextFile::load(folder + "/there.txt").next().text == "text");
}

TEST_CASE("OutputFile: a reader of a pipe gets the whole text before the end of the file") {
    const std::string path = test::temporaryPath("pipe");
    REQUIRE(mkfifo(path.c_str(), 0600) == 0);
    std::string read;
    std::thread reader([&] {
        std::ifstream pipe(path);
        read.assign(std::istreambuf_iterator<char>(pipe), {});
    });
    {
        const OutputFile file(path);
        CHECK_FALSE(file.isReplaced());
        file.write("text\n");
    }
    reader.join();
    CHECK(read == "text\n");
}
