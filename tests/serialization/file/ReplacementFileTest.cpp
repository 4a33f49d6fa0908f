#include <ferry/serialization/file/ReplacementFile.hpp>

#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/serialization/checkpoint/CheckpointFile.hpp>
#include <ferry/serialization/file/FileError.hpp>
#include <ferry/tests/support/FileBytes.hpp>
#include <ferry/tests/support/TemporaryFolder.hpp>

namespace {

using ferry::FileError;
using ferry::FileProblem;
using ferry::detail::ReplacementFile;
using ferry::test::bytesOf;
using ferry::test::TemporaryFolder;
using ferry::test::writeBytes;
using Ints = std::vector<std::int32_t>;

int errorNumberOf(const std::filesystem::path& path) {
    try {
        ferry::save(path, 5);
    } catch (const FileError& error) {
        CHECK(error.problem() == FileProblem::CannotWrite);
        return error.errorNumber();
    }
    FAIL("no error");
    return 0;
}

/// While the object lives, this process cannot write files longer than `bytes`.
class FileSizeLimit {
public:
    explicit FileSizeLimit(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_DFL)) {    // SIGXFSZ ends the process
        ::getrlimit(RLIMIT_FSIZE, &before_);
        const rlimit limit{bytes, before_.rlim_max};
        ::setrlimit(RLIMIT_FSIZE, &limit);
    }
    ~FileSizeLimit() {
        ::setrlimit(RLIMIT_FSIZE, &before_);
        std::signal(SIGXFSZ, handler_);
    }
    FileSizeLimit(const FileSizeLimit&) = delete;
    FileSizeLimit& operator=(const FileSizeLimit&) = delete;

private:
    void (*handler_)(int);
    rlimit before_{};
};

}    // namespace

TEST_CASE("ReplacementFile: the old file is there until the new one is complete") {
    const TemporaryFolder folder;
    const auto path = folder / "file";
    writeBytes(path, "old");
    {
        ReplacementFile file(path);
        file.write(Ints{0x61616161});
        CHECK(bytesOf(path) == "old");
        CHECK(folder.fileCount() == 2);
    }
    CHECK(bytesOf(path) == "old");
    CHECK(folder.fileCount() == 1);
    ReplacementFile file(path);
    file.write(Ints{0x61616161});
    file.write(Ints{});
    file.write(Ints{0x62626262});
    file.commit();
    CHECK(bytesOf(path) == "aaaabbbb");
    CHECK(folder.fileCount() == 1);
}

TEST_CASE("ReplacementFile: many pieces are written in order") {
    const TemporaryFolder folder;
    Ints ints(1000);
    std::vector<ferry::IntBuffer::Segment> pieces;
    for (std::size_t i = 0; i < ints.size(); ++i) {
        ints[i] = static_cast<std::int32_t>(i);
        pieces.push_back({reinterpret_cast<const std::byte*>(&ints[i]), 1, true});
    }
    ReplacementFile file(folder / "file");
    file.write(pieces);
    file.commit();
    for (std::int32_t& each : ints) each = ferry::detail::inFileOrder(each);
    CHECK(bytesOf(folder / "file") == std::string(reinterpret_cast<const char*>(ints.data()), 4 * ints.size()));
}

TEST_CASE("ReplacementFile: a full disk leaves the old file, and nothing else") {
    const TemporaryFolder folder;
    const auto path = folder / "file";
    ferry::save(path, 5);
    {
        const FileSizeLimit limit(100'000);
        try {
            ferry::save(path, std::vector<int>(1'000'000));
            FAIL("no error");
        } catch (const FileError& error) {
            CHECK(error.problem() == FileProblem::CannotWrite);
            CHECK(error.errorNumber() == EFBIG);
            CHECK(std::string(error.what()) == path.native() + ": writing failed: File too large");
        }
    }
    CHECK(ferry::load<int>(path) == 5);
    CHECK(folder.fileCount() == 1);
}

TEST_CASE("ReplacementFile: a file that cannot be replaced is an error, and stays") {
    const TemporaryFolder folder;
    CHECK(errorNumberOf(folder / "missing" / "file") == ENOENT);
    writeBytes(folder / "plain", "text");
    CHECK(errorNumberOf(folder / "plain" / "file") == ENOTDIR);
    CHECK(errorNumberOf(folder.path()) == 0);
    CHECK(errorNumberOf(folder.path() / "") == 0);
    CHECK(errorNumberOf("/dev/full") == 0);
    CHECK(errorNumberOf(folder / std::string(300, 'x')) == ENAMETOOLONG);
    CHECK(folder.fileCount() == 1);
}

TEST_CASE("ReplacementFile: the next writer removes leftovers of a killed writer, and leaves living writers alone") {
    const TemporaryFolder folder;
    const auto path = folder / "file";
    std::filesystem::path leftover;
    {
        const ReplacementFile file(path);
        leftover = std::filesystem::directory_iterator(folder.path())->path();
        ferry::save(path, 5);    // must not change the other file
        CHECK(std::filesystem::exists(leftover));
    }
    writeBytes(leftover, "left behind");    // no process holds the lock of this file
    writeBytes(folder / ".ferry-of-another", "text");
    ferry::save(folder / "other", 6);
    CHECK(std::filesystem::exists(leftover));
    ferry::save(path, 7);
    CHECK_FALSE(std::filesystem::exists(leftover));
    CHECK(std::filesystem::exists(folder / ".ferry-of-another"));
    CHECK(ferry::load<int>(path) == 7);
}

TEST_CASE("ReplacementFile: permissions stay, and a symbolic link stays a link") {
    const TemporaryFolder folder;
    const auto path = folder / "file";
    writeBytes(path, "old");
    std::filesystem::permissions(path, std::filesystem::perms(0640));
    std::filesystem::create_symlink("file", folder / "link");
    ferry::save(folder / "link", 5);
    CHECK(std::filesystem::is_symlink(folder / "link"));
    CHECK(ferry::load<int>(path) == 5);
    CHECK(std::filesystem::status(path).permissions() == std::filesystem::perms(0640));
    std::filesystem::create_symlink("new", folder / "dangling");
    ferry::save(folder / "dangling", 6);
    CHECK(ferry::load<int>(folder / "new") == 6);
}

TEST_CASE("ReplacementFile: only its owner can open a file that is being written; its rights come at the end") {
    const TemporaryFolder folder;
    const auto rightsOf = [](const std::filesystem::path& path) { return std::filesystem::status(path).permissions(); };
    const auto path = folder / "file";
    const mode_t before = ::umask(027);
    for (const auto expected : {std::filesystem::perms(0640), std::filesystem::perms(0604), std::filesystem::perms(0400)}) {
        if (std::filesystem::exists(path)) std::filesystem::permissions(path, expected);
        {
            ReplacementFile file(path);
            file.write(Ints{1});
            for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
                if (entry.path() != path) CHECK(rightsOf(entry.path()) == std::filesystem::perms(0600));
            }
            file.commit();
        }
        CHECK(rightsOf(path) == expected);
    }
    ::umask(before);
}

TEST_CASE("ReplacementFile: a second new file leaves the first one alone when asked to") {
    const TemporaryFolder folder;
    const auto path = folder / "file";
    for (const bool isFirst : {true, false}) {
        ReplacementFile file(path, ReplacementFile::Flush::ToSystem);
        file.write(isFirst ? std::string_view("first") : std::string_view("second"));
        CHECK(file.commitIfNoneIsThere() == isFirst);
    }
    CHECK(bytesOf(path) == "first");
    CHECK(folder.fileCount() == 1);
}

TEST_CASE("ReplacementFile: links that lead in a circle are told, and stay") {
    const TemporaryFolder folder;
    std::filesystem::create_symlink("two", folder / "one");
    std::filesystem::create_symlink("one", folder / "two");
    CHECK(errorNumberOf(folder / "one") == ELOOP);
    CHECK(std::filesystem::is_symlink(folder / "one"));
    CHECK(folder.fileCount() == 2);
}

TEST_CASE("ReplacementFile: in a shared folder, no link and no pipe of another user is followed") {
    if (::geteuid() != 0) return;    // only root can make files of another user
    constexpr uid_t stranger = 65534;
    const TemporaryFolder folder;
    writeBytes(folder / "own", "old");
    std::filesystem::create_symlink("own", folder / "link");
    REQUIRE(::lchown((folder / "link").c_str(), stranger, stranger) == 0);
    REQUIRE(::chmod(folder.path().c_str(), 01777) == 0);
    CHECK_THROWS_WITH_AS(ferry::save(folder / "link", 5), doctest::Contains("found a symbolic link of user 65534"), FileError);
    CHECK(bytesOf(folder / "own") == "old");
    REQUIRE(::chmod(folder.path().c_str(), 0755) == 0);    // nobody else can have made the link
    ferry::save(folder / "link", 5);
    CHECK(ferry::load<int>(folder / "own") == 5);
}

TEST_CASE("ReplacementFile: another user's rights do not open the new file to more users than the process's mask") {
    if (::geteuid() != 0) return;    // only root can make files of another user
    constexpr uid_t stranger = 65534;
    const TemporaryFolder folder;
    writeBytes(folder / "file", "prepared");
    REQUIRE(::chown((folder / "file").c_str(), stranger, stranger) == 0);
    REQUIRE(::chmod((folder / "file").c_str(), 0666) == 0);
    const mode_t before = ::umask(077);
    ferry::save(folder / "file", 5);
    ::umask(before);
    CHECK(std::filesystem::status(folder / "file").permissions() == std::filesystem::perms(0600));
}

TEST_CASE("ReplacementFile: a path without a folder is one in the current folder") {
    const TemporaryFolder folder;
    const auto before = std::filesystem::current_path();
    std::filesystem::current_path(folder.path());
    ferry::save("file", 5);
    std::filesystem::current_path(before);
    CHECK(ferry::load<int>(folder / "file") == 5);
}

TEST_CASE("ReplacementFile: threads that save under one path do not disturb each other") {
    const TemporaryFolder folder;
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) {
        threads.emplace_back([&folder, i] {
            for (int k = 0; k < 10; ++k) ferry::save(folder / "file", std::vector<int>(1000, i));
        });
    }
    for (std::thread& thread : threads) thread.join();
    CHECK(ferry::load<std::vector<int>>(folder / "file").size() == 1000);
    CHECK(folder.fileCount() == 1);
}
