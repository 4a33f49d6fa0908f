#include <ferry/framework/journal/Journal.hpp>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/connector/message/letter/Envelope.hpp>
#include <ferry/framework/exception/JournalError.hpp>
#include <ferry/serialization/checkpoint/FileFormat.hpp>
#include <ferry/serialization/exception/SerializationError.hpp>
#include <ferry/serialization/file/Disk.hpp>
#include <ferry/serialization/file/FileDescriptor.hpp>
#include <ferry/serialization/file/FileError.hpp>
#include <ferry/tests/framework/JournalFiles.hpp>
#include <ferry/tests/support/FileBytes.hpp>
#include <ferry/tests/support/TemporaryFolder.hpp>

using namespace ferry;
using namespace ferry::test;

namespace journaltest {

/// Returns the ints of the reply to the next task with this number; nothing when the task has to be done.
std::optional<std::vector<std::int32_t>> replyTo(detail::Journal& journal, int task) {
    const std::optional<detail::Journal::Reply> reply = journal.take(journal.keyOf(taskClass, intsOf(task)));
    if (!reply) return std::nullopt;
    CHECK(reply->replyClass == replyClass);
    const auto body = reply->ints.ints().subspan(detail::Envelope::sizeInts);
    return std::vector<std::int32_t>(body.begin(), body.end());
}

/// While the object lives, no file of this process can grow.
class FullDisk {
public:
    explicit FullDisk(std::uintmax_t bytes) : signalBefore_(std::signal(SIGXFSZ, SIG_DFL)) {
        ::getrlimit(RLIMIT_FSIZE, &before_);
        rlimit limit = before_;
        limit.rlim_cur = bytes;
        ::setrlimit(RLIMIT_FSIZE, &limit);
    }
    FullDisk(const FullDisk&) = delete;
    FullDisk& operator=(const FullDisk&) = delete;
    ~FullDisk() {
        ::setrlimit(RLIMIT_FSIZE, &before_);
        std::signal(SIGXFSZ, signalBefore_);
    }

private:
    void (*signalBefore_)(int);
    rlimit before_{};
};

}    // namespace journaltest

using namespace journaltest;

TEST_CASE("Journal: a later run gets each reply once, and others not at all") {
    const TemporaryFolder folder;
    writeJournal(folder / "journal", 4);
    detail::Journal journal(journalSettings(folder / "journal"));
    CHECK(journal.leftCount() == 4);
    for (int task = 3; task >= 0; --task) CHECK(replyTo(journal, task) == intsOf(100 * task, static_cast<std::size_t>(task)));
    CHECK(journal.leftCount() == 0);
    CHECK_FALSE(replyTo(journal, 3).has_value());
    CHECK_FALSE(replyTo(journal, 4).has_value());
}

TEST_CASE("Journal: equal tasks have records of their own, in the order of submission") {
    const TemporaryFolder folder;
    {
        detail::Journal journal(journalSettings(folder / "journal"));
        const std::vector<std::int32_t> task = intsOf(1);
        CHECK(journal.keyOf(taskClass, task).occurrence == 0);
        const detail::JournalKey second = journal.keyOf(taskClass, task);
        const detail::JournalKey otherClass = journal.keyOf(taskClass + 1, task);
        CHECK(second.occurrence == 1);
        CHECK(otherClass.occurrence == 0);
        journal.add(second, replyClass, intsOf(22));
    }
    detail::Journal journal(journalSettings(folder / "journal"));
    CHECK_FALSE(replyTo(journal, 1).has_value());
    CHECK(replyTo(journal, 1) == intsOf(22));
    CHECK_FALSE(replyTo(journal, 1).has_value());
}

TEST_CASE("Journal: what comes behind a torn end is whole again") {
    const TemporaryFolder folder;
    const std::filesystem::path path = folder / "journal";
    writeJournal(path, 3);
    const std::string bytes = bytesOf(path);
    writeJournal(folder / "two", 2);
    const std::size_t twoBytes = bytesOf(folder / "two").size() - 24;    // without the mark
    for (const std::size_t length : {bytes.size() - 25, twoBytes + 1, twoBytes - 1, std::size_t{30}, std::size_t{5}, std::size_t{0}}) {
        CAPTURE(length);
        writeBytes(path, bytes.substr(0, length));
        {
            detail::Journal journal(journalSettings(path));
            for (int task = 0; task < 3; ++task) {
                const detail::JournalKey key = journal.keyOf(taskClass, intsOf(task));
                if (!journal.take(key)) journal.add(key, replyClass, intsOf(100 * task, static_cast<std::size_t>(task)));
            }
        }
        CHECK(bytesOf(path).size() <= bytes.size() + 24);    // and a mark of the second run
        detail::Journal again(journalSettings(path));
        for (int task = 0; task < 3; ++task) CHECK(replyTo(again, task) == intsOf(100 * task, static_cast<std::size_t>(task)));
    }
}

TEST_CASE("Journal: what was added is in the file after write(), and is flushed when it is due") {
    using namespace std::chrono_literals;
    const TemporaryFolder folder;
    detail::JournalSettings settings = journalSettings(folder / "journal");
    settings.flushInterval = 50ms;
    detail::Journal journal(settings);
    const std::size_t emptyBytes = bytesOf(folder / "journal").size();
    const detail::Journal::TimePoint start{10s};
    CHECK(journal.nextFlush() == detail::Journal::TimePoint::max());
    journal.add(journal.keyOf(taskClass, intsOf(1)), replyClass, intsOf(1));
    CHECK(bytesOf(folder / "journal").size() == emptyBytes);
    journal.write(start);
    const std::size_t oneRecord = bytesOf(folder / "journal").size();
    CHECK(oneRecord == emptyBytes + (fileFormat::HeadInts + 2 + 8 + 3) * sizeof(std::int32_t));
    CHECK(journal.nextFlush() == start + 50ms);
    journal.add(journal.keyOf(taskClass, intsOf(2)), replyClass, intsOf(2));
    journal.write(start + 49ms);
    CHECK(bytesOf(folder / "journal").size() > oneRecord);
    CHECK(journal.nextFlush() == start + 50ms);
    journal.write(start + 50ms);
    CHECK(journal.nextFlush() == detail::Journal::TimePoint::max());
}

TEST_CASE("Journal: a reply that is longer than a chunk comes back whole, and not at all when its end is missing") {
    const TemporaryFolder folder;
    const std::filesystem::path path = folder / "journal";
    const std::vector<std::int32_t> large = intsOf(5, 2 * fileFormat::MaxChunkInts - 7);
    {
        detail::Journal journal(journalSettings(path));
        journal.add(journal.keyOf(taskClass, intsOf(0)), replyClass, large);
        journal.add(journal.keyOf(taskClass, intsOf(1)), replyClass, intsOf(1));
    }
    const std::uintmax_t bytes = std::filesystem::file_size(path);
    {
        detail::Journal journal(journalSettings(path));
        CHECK(replyTo(journal, 1) == intsOf(1));
        CHECK((replyTo(journal, 0) == large));
    }
    std::filesystem::resize_file(path, bytes - 100);    // cuts into the last chunks of the first record
    detail::Journal journal(journalSettings(path));
    CHECK(journal.leftCount() == 0);
}

TEST_CASE("Journal: a second writer is refused while the first lives") {
    const TemporaryFolder folder;
    {
        const detail::Journal journal(journalSettings(folder / "journal"));
        try {
            const detail::Journal second(journalSettings(folder / "journal"));
            FAIL("there are two writers");
        } catch (const JournalError& error) {
            CHECK(error.problem() == JournalProblem::InUse);
        }
    }
    CHECK_NOTHROW(detail::Journal(journalSettings(folder / "journal")));
}

TEST_CASE("Journal: whoever can only read it cannot keep its writer out") {
    const TemporaryFolder folder;
    const std::filesystem::path path = folder / "journal";
    writeJournal(path, 1);
    const detail::FileDescriptor stranger(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    REQUIRE(::flock(stranger.number(), LOCK_EX | LOCK_NB) == 0);
    struct flock whole {};
    whole.l_type = F_RDLCK;
    whole.l_whence = SEEK_SET;
    REQUIRE(::fcntl(stranger.number(), F_OFD_SETLK, &whole) == 0);
    {
        const detail::Journal journal(journalSettings(path));
        CHECK_THROWS_AS(detail::Journal(journalSettings(path)), JournalError);
        std::filesystem::create_symlink("journal", folder / "link");
        CHECK_THROWS_AS(detail::Journal(journalSettings(folder / "link")), JournalError);
        CHECK(std::filesystem::status(folder / "journal.lock").permissions() == std::filesystem::perms(0600));
    }
    CHECK_FALSE(std::filesystem::exists(folder / "journal.lock"));
    writeBytes(folder / "journal.lock", "");    // a lock file of a job that was killed
    CHECK_NOTHROW(detail::Journal(journalSettings(path)));
}

TEST_CASE("Journal: in a shared folder, a journal that another user has prepared is not continued") {
    if (::geteuid() != 0) return;    // only root can make files of another user
    const TemporaryFolder folder;
    const std::filesystem::path path = folder / "journal";
    writeJournal(path, 1);
    REQUIRE(::chown(path.c_str(), 65534, 65534) == 0);
    REQUIRE(::chmod(folder.path().c_str(), 01777) == 0);
    CHECK_THROWS_WITH_AS(detail::Journal(journalSettings(path)), doctest::Contains("found a file of user 65534"), FileError);
}

TEST_CASE("Journal: a file that cannot be written is named") {
    const TemporaryFolder folder;
    for (const std::filesystem::path& path : {folder.path(), folder / "no/such", std::filesystem::path("/dev/null")}) {
        CAPTURE(path.native());
        try {
            const detail::Journal journal(journalSettings(path));
            FAIL("the journal was opened");
        } catch (const FileError& error) {
            CHECK(error.problem() == FileProblem::CannotWrite);
            CHECK(error.path() == path);
        }
    }
}

TEST_CASE("Journal: what could not be written, as there was no room, is written when there is") {
    const TemporaryFolder folder;
    const std::filesystem::path path = folder / "journal";
    detail::Journal journal(journalSettings(path));
    journal.add(journal.keyOf(taskClass, intsOf(1)), replyClass, intsOf(1, 1000));
    {
        const FullDisk disk(std::filesystem::file_size(path) + 100);
        for (int time = 0; time < 2; ++time) {
            try {
                journal.write({});
                FAIL("there was room");
            } catch (const FileError& error) {
                CHECK(error.problem() == FileProblem::CannotWrite);
                CHECK(error.errorNumber() == EFBIG);
            }
        }
    }
    CHECK(std::filesystem::file_size(path) < 1000 * sizeof(std::int32_t));
    journal.add(journal.keyOf(taskClass, intsOf(2)), replyClass, intsOf(2));
    journal.write({});
    const detail::JournalContents contents = detail::replayJournal(path, FileDescription::of(FileKind::Journal, "prices"));
    CHECK(contents.places.size() == 2);
    CHECK(contents.tornBytes == 0);
}

TEST_CASE("Journal: a record that was damaged after it was read first is not handed out") {
    const TemporaryFolder folder;
    writeJournal(folder / "journal", 3);
    detail::Journal journal(journalSettings(folder / "journal"));
    std::string bytes = bytesOf(folder / "journal");
    bytes.resize(bytes.size() - 24);    // without the mark
    bytes.back() = static_cast<char>(bytes.back() ^ 1);
    writeBytes(folder / "journal", bytes);
    CHECK(replyTo(journal, 1).has_value());
    CHECK_THROWS_AS(replyTo(journal, 2), JournalError);
    std::filesystem::resize_file(folder / "journal", bytes.size() - 4);
    CHECK_THROWS_AS(journal.take({taskClass, journal.keyOf(taskClass, intsOf(2)).content, 0}), JournalError);
}

TEST_CASE("Journal: after a flush that failed no later one succeeds, as the system may have dropped records") {
    using namespace std::chrono_literals;
    class FailsOneFlush final : public detail::Disk {
    public:
        int flushData(int file) override {
            if (++flushes != 1) return Disk::flushData(file);
            errno = EIO;
            return -1;
        }
        int flushes = 0;
    };
    const TemporaryFolder folder;
    FailsOneFlush disk;
    const detail::DiskScope scope(disk);
    detail::JournalSettings settings = journalSettings(folder / "journal");
    settings.flushInterval = 0ms;
    {
        detail::Journal journal(settings);
        journal.add(journal.keyOf(taskClass, intsOf(1)), replyClass, intsOf(1));
        CHECK_THROWS_AS(journal.write({}), FileError);
        CHECK_THROWS_WITH_AS(journal.write({}), doctest::Contains("after a flush that failed"), FileError);
        CHECK(disk.flushes == 1);
    }
    const detail::Journal again(settings);    // writes what it found once more, and flushes
    CHECK(disk.flushes == 2);
    CHECK(bytesOf(folder / "journal").size() > 24);
}

TEST_CASE("Journal: a disk that fails at the end of a job is told, once") {
    class FailsFlushes final : public detail::Disk {
    public:
        int flushData(int) override {
            errno = EIO;
            return -1;
        }
    };
    const TemporaryFolder folder;
    const detail::JournalSettings settings = journalSettings(folder / "journal");
    detail::Journal journal(settings);
    journal.add(journal.keyOf(taskClass, intsOf(1)), replyClass, intsOf(1));
    FailsFlushes disk;
    const detail::DiskScope scope(disk);
    CHECK_THROWS_WITH_AS(journal.close(), doctest::Contains(settings.path.c_str()), FileError);
    CHECK_NOTHROW(journal.close());
}

TEST_CASE("Journal: that its file was removed is told, since no later run would find a task") {
    const TemporaryFolder folder;
    const detail::JournalSettings settings = journalSettings(folder / "journal");
    detail::Journal journal(settings);
    std::filesystem::remove(folder / "journal");
    journal.add(journal.keyOf(taskClass, intsOf(1)), replyClass, intsOf(1));
    CHECK_THROWS_WITH_AS(journal.close(), doctest::Contains("it was removed while the job used it"), FileError);
}

TEST_CASE("Journal: what an earlier run left without a flush is on the disk before it is used, and a mark says so") {
    const TemporaryFolder folder;
    const std::filesystem::path path = folder / "journal";
    writeJournal(path, 3);
    std::filesystem::resize_file(path, std::filesystem::file_size(path) - 24);    // as after SIGKILL
    class CountsFlushes final : public detail::Disk {
    public:
        int flushData(int file) override {
            ++flushes;
            return Disk::flushData(file);
        }
        int flushes = 0;
    };
    CountsFlushes disk;
    const detail::DiskScope scope(disk);
    {
        detail::Journal journal(journalSettings(path));
        CHECK(disk.flushes == 1);
    }
    const std::uintmax_t bytes = std::filesystem::file_size(path);
    for (int run = 0; run < 3; ++run) {
        detail::Journal journal(journalSettings(path));
        CHECK(journal.leftCount() == 3);
    }
    CHECK(disk.flushes == 1);
    CHECK(std::filesystem::file_size(path) == bytes);    // a run that writes nothing adds nothing
}

TEST_CASE("JournalError: travels with its data") {
    const JournalError error(JournalProblem::Damaged, "a/journal", "it is damaged", 4711);
    IntBuffer ints;
    IntWriter(ints) << error;
    JournalError again;
    IntReader in(ints.ints());
    in >> again;
    CHECK(in.remaining() == 0);
    CHECK(again.problem() == JournalProblem::Damaged);
    CHECK(again.path() == "a/journal");
    CHECK(again.offset() == 4711);
    ints.data()[0] = 5;
    IntReader wrong(ints.ints());
    CHECK_THROWS_AS(wrong >> again, SerializationError);
}
