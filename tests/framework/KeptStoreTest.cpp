#include <ferry/framework/parcel/JobKind.hpp>
#include <ferry/framework/slave/KeptStore.hpp>

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>
#include <spdlog/sinks/ostream_sink.h>

#include <ferry/connector/transport/ThreadTransport.hpp>
#include <ferry/framework/monitor/Log.hpp>
#include <ferry/framework/parcel/TaskNotice.hpp>
#include <ferry/serialization/exception/SerializationError.hpp>
#include <ferry/serialization/exception/UsageError.hpp>
#include <ferry/tests/support/TemporaryFolder.hpp>

namespace ferry::detail {

namespace {

using KeptInts = std::vector<std::int32_t>;

/// The store of rank 1, and the mailboxes of the master and of another slave.
struct Stores {
    explicit Stores(std::size_t memoryBytes = KeepSettings().memoryBytes) : store(slave, {memoryBytes, folder.path()}) {}

    void keep(std::int32_t number, int count) {
        store.keep(number, std::make_unique<ValueMessage<KeptInts>>(std::in_place, KeptInts(static_cast<std::size_t>(count), number)));
    }
    Letter notice(TaskNotice kind, std::int32_t number, const KeptInts& numbers, int from = 0) {
        const Envelope envelope{JobKind::TaskNotice, static_cast<std::int32_t>(kind), number};
        return {from, envelope, master.pack(envelope, [&](IntWriter& out) { out << numbers; })};
    }
    /// A letter with a result of this class ID.
    Letter result(std::int32_t number, ClassId id, const KeptInts& value) {
        const Envelope envelope{JobKind::TaskNotice, static_cast<std::int32_t>(TaskNotice::Kept), number};
        return {2, envelope, master.pack(envelope, [&](IntWriter& out) {
                    out.writeInt(id);
                    out << value;
                })};
    }
    /// Reads a Ref as a task does.
    Ref<KeptInts> read(std::int32_t number) {
        const RefScope::Active active(store);
        return RefAccess::make<KeptInts>(RefScope::arrive(number));
    }
    Letter next(Mailbox& mailbox) { return mailbox.take(Filter({JobKind::TaskNotice})); }

    test::TemporaryFolder folder;
    std::vector<std::unique_ptr<Transport>> transports = threadTransports(3);
    Mailbox master{*transports[0], ObjectFactory::global()};
    Mailbox slave{*transports[1], ObjectFactory::global()};
    Mailbox other{*transports[2], ObjectFactory::global()};
    KeptStore store;
};

/// The open file of the store, which has no name in the folder; -1: it has none yet.
int fileOf(const std::filesystem::path& folder) {
    for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
        std::error_code gone;
        const std::string target = std::filesystem::read_symlink(entry.path(), gone).string();
        if (!gone && target.starts_with(folder.string() + "/")) return std::stoi(entry.path().filename().string());
    }
    return -1;
}

std::size_t bytesOnDisk(int file) {
    struct stat status {};
    REQUIRE(::fstat(file, &status) == 0);
    return static_cast<std::size_t>(status.st_blocks) * 512;
}

}    // namespace

TEST_CASE("KeptStore: a result is given to the reader whom the master names, from memory and from a file") {
    for (const std::size_t memoryBytes : {std::size_t{1} << 30, std::size_t{0}}) {
        Stores stores(memoryBytes);
        for (const int count : {3, 20000}) {
            stores.keep(count, count);
            CHECK(stores.store.fileCount() == (memoryBytes == 0 ? 1 : 0));
            CHECK(stores.store.takeAtOnce(stores.notice(TaskNotice::Give, count, {2})));
            const Letter given = stores.next(stores.other);
            CHECK(given.envelope.number == count);
            CHECK(given.body().front() == resultId<KeptInts>());
            CHECK(given.body().back() == count);
            CHECK(stores.store.takeServed() == (count == 20000));
            stores.store.drop(count);
        }
        CHECK(stores.store.count() == 0);
        CHECK(stores.store.memoryBytes() == 0);
        CHECK(stores.store.fileCount() == 0);
        if (memoryBytes == 0) CHECK(bytesOnDisk(fileOf(stores.folder.path())) == 0);
        CHECK(std::filesystem::is_empty(stores.folder.path()));
    }
}

TEST_CASE("KeptStore: the master hears of a result that is not here, and of one whose file is damaged") {
    Stores stores(0);
    CHECK(stores.store.takeAtOnce(stores.notice(TaskNotice::Give, 8, {2})));
    CHECK(noticeIn(stores.next(stores.master)) == TaskNotice::Absent);
    stores.keep(9, 5);
    REQUIRE(::ftruncate(fileOf(stores.folder.path()), 0) == 0);
    CHECK(stores.store.takeAtOnce(stores.notice(TaskNotice::Give, 9, {2})));
    const Letter absent = stores.next(stores.master);
    CHECK(noticeIn(absent) == TaskNotice::Absent);
    CHECK(absent.envelope.number == 9);
    CHECK(numbersIn(absent) == KeptInts{2});
}

TEST_CASE("KeptStore: a result that is made again replaces the one whose file could not be read") {
    Stores stores(0);
    const auto readsOf = [&stores](std::int32_t number, const KeptInts& expected) {
        const Ref<KeptInts> ref = stores.read(number);
        stores.store.fetch();
        CHECK(stores.store.areAllHere() == !expected.empty());
        if (stores.store.areAllHere()) CHECK(*ref == expected);
    };
    for (const bool isNoted : {true, false}) {
        stores.keep(9, 5);
        REQUIRE(::ftruncate(fileOf(stores.folder.path()), 0) == 0);
        if (isNoted) {
            readsOf(9, {});
            stores.store.miss(9);
            stores.store.endTask();
        } else {
            CHECK(stores.store.takeAtOnce(stores.notice(TaskNotice::Give, 9, {2})));
        }
        CHECK(stores.store.fileCount() == 0);
        stores.keep(9, 7);
        CHECK(stores.store.fileCount() == 1);
        readsOf(9, KeptInts(7, 9));
        stores.store.endTask();
        stores.store.drop(9);
    }
}

TEST_CASE("KeptStore: beyond the limit, results that no task reads move to files of their user alone, and come back") {
    Stores stores(4 * 2 * 1000 * sizeof(std::int32_t));
    for (std::int32_t number = 1; number <= 20; ++number) stores.keep(number, 1000);
    CHECK(stores.store.memoryBytes() <= 4 * 2 * 1000 * sizeof(std::int32_t));
    CHECK(stores.store.fileCount() >= 16);
    struct stat status {};
    REQUIRE(::fstat(fileOf(stores.folder.path()), &status) == 0);
    CHECK((status.st_mode & 0777) == 0600);
    CHECK(std::filesystem::is_empty(stores.folder.path()));    // no name: nothing is left when the process is killed
    for (std::int32_t number = 1; number <= 20; ++number) {
        const Ref<KeptInts> ref = stores.read(number);
        stores.store.fetch();
        CHECK(stores.store.areAllHere());
        CHECK(*ref == KeptInts(1000, number));
        stores.store.endTask();
    }
    for (std::int32_t number = 1; number <= 20; ++number) stores.store.drop(number);
    CHECK(stores.store.memoryBytes() == 0);
    CHECK(stores.store.fileCount() == 0);
}

TEST_CASE("KeptStore: the disk is used again, whatever the order in which results go") {
    Stores stores(0);
    std::map<std::int32_t, int> counts;
    std::uint32_t random = 1;
    std::size_t most = 0;
    for (std::int32_t number = 1; number <= 400; ++number) {
        random = random * 1664525u + 1013904223u;
        counts[number] = 1 + static_cast<int>(random >> 16) % 9000;
        stores.keep(number, counts[number]);
        if (number % 5 == 0) {
            for (auto place = counts.begin(); place != counts.end() && counts.size() > 20;) {
                random = random * 1664525u + 1013904223u;
                const bool goes = random % 2 == 0;
                if (goes) stores.store.drop(place->first);
                place = goes ? counts.erase(place) : std::next(place);
            }
            most = std::max(most, bytesOnDisk(fileOf(stores.folder.path())));
        }
    }
    CHECK(most < 80 * 9000 * sizeof(std::int32_t));    // all 400 results are 7 MB
    for (const auto& [number, count] : counts) {
        const Ref<KeptInts> ref = stores.read(number);
        stores.store.fetch();
        CHECK(*ref == KeptInts(static_cast<std::size_t>(count), number));
        stores.store.endTask();
        stores.store.drop(number);
    }
    CHECK(stores.store.fileCount() == 0);
    CHECK(bytesOnDisk(fileOf(stores.folder.path())) == 0);
}

TEST_CASE("KeptStore: results that cannot be moved to a file stay in memory, and two lines tell that of all") {
    std::ostringstream text;
    const auto sink = std::make_shared<spdlog::sinks::ostream_sink_mt>(text);
    detail::log().sinks().push_back(sink);
    {
        Stores stores(0);
        std::filesystem::remove(stores.folder.path());
        for (std::int32_t number = 1; number <= 50; ++number) stores.keep(number, 10);
        CHECK(stores.store.count() == 50);
        CHECK(stores.store.fileCount() == 0);
        std::filesystem::create_directory(stores.folder.path());
    }
    detail::log().sinks().pop_back();
    const std::string told = text.str();
    CHECK(std::count(told.begin(), told.end(), '\n') == 2);
    CHECK(told.find("results stay in memory beyond the limit") != std::string::npos);
    CHECK(told.find("50 times") != std::string::npos);
}

TEST_CASE("KeptStore: a result is asked for once, and comes, or is told to be missing") {
    Stores stores;
    {
        const Ref<KeptInts> first = stores.read(4), same = stores.read(4), second = stores.read(6);
        stores.store.fetch();
        CHECK_FALSE(stores.store.isFetched());
        const Letter want = stores.next(stores.master);
        CHECK(noticeIn(want) == TaskNotice::Want);
        CHECK(numbersIn(want) == KeptInts{4, 6});
        CHECK_FALSE(stores.store.takeAtOnce(stores.result(4, resultId<KeptInts>(), {7, 8})));    // left for the wait
        stores.store.arrive(stores.result(4, resultId<KeptInts>(), {7, 8}));
        stores.store.arrive(stores.result(4, resultId<KeptInts>(), {9, 9}));    // nobody waits for it any more
        CHECK_FALSE(stores.store.isFetched());
        stores.store.miss(6);
        CHECK(stores.store.isFetched());
        CHECK_FALSE(stores.store.areAllHere());
        CHECK(*same == KeptInts{7, 8});
        CHECK_THROWS_AS(static_cast<void>(*second), UsageError);
    }
    stores.store.endTask();
    CHECK(stores.store.count() == 1);
    CHECK_FALSE(stores.store.isAwaiting());
    CHECK(stores.store.takeAtOnce(stores.result(4, resultId<KeptInts>(), {7, 8})));    // dropped at once
}

TEST_CASE("KeptStore: a result that is dropped while it is under way leaves nothing behind") {
    Stores stores;
    static_cast<void>(stores.read(4));
    stores.store.fetch();
    stores.store.endTask();
    CHECK(stores.store.isAwaiting());
    CHECK(stores.store.takeAtOnce(stores.notice(TaskNotice::Drop, 0, {4, 5})));
    CHECK_FALSE(stores.store.isAwaiting());
    CHECK(stores.store.hasStrays());
    stores.store.arrive(stores.result(4, resultId<KeptInts>(), {1}));
    CHECK(stores.store.count() == 0);
    CHECK(stores.store.memoryBytes() == 0);
}

TEST_CASE("KeptStore: damaged ints of a result are an error of the reader, and those of another class as well") {
    Stores stores;
    const auto readsAs = [&stores](Letter letter) {
        const Ref<KeptInts> ref = stores.read(4);
        stores.store.fetch();
        static_cast<void>(stores.next(stores.master));
        stores.store.arrive(std::move(letter));
        CHECK_THROWS_AS(static_cast<void>(*ref), SerializationError);
        stores.store.endTask();
        stores.store.drop(4);
    };
    readsAs(stores.result(4, resultId<long>(), {1, 2}));
    Letter cut = stores.result(4, resultId<KeptInts>(), {1, 2, 3});
    cut.ints.resizeWithin(cut.ints.size() - 1);
    readsAs(std::move(cut));
    Letter longer = stores.result(4, resultId<KeptInts>(), {1, 2, 3});
    longer.ints.append(std::vector<std::int32_t>{5});
    readsAs(std::move(longer));
    Letter empty = stores.result(4, resultId<KeptInts>(), {});
    empty.ints.resizeWithin(Envelope::sizeInts);
    readsAs(std::move(empty));
}

TEST_CASE("KeptStore: only the master says who gets a result and which results are removed") {
    Stores stores;
    stores.keep(3, 3);
    CHECK_FALSE(stores.store.takeAtOnce(stores.notice(TaskNotice::Drop, 0, {3}, 2)));
    CHECK_FALSE(stores.store.takeAtOnce(stores.notice(TaskNotice::Give, 3, {2}, 2)));
    CHECK(stores.store.takeAtOnce(stores.notice(TaskNotice::Give, 3, {-7, 99})));    // no ranks
    CHECK(stores.store.count() == 1);
}

TEST_CASE("Ref: its ints are the class ID of the result and its number, and damaged ones are refused") {
    IntBuffer ints;
    IntWriter out(ints);
    out.writeInt(resultId<KeptInts>());
    out.writeInt(5);
    out.finish();
    Stores stores;
    const RefScope::Active active(stores.store);
    Ref<KeptInts> ref;
    IntReader in(ints.ints());
    in >> ref;
    in.expectEnd();
    CHECK_FALSE(ref.isEmpty());
    for (const KeptInts& damaged : {KeptInts{resultId<KeptInts>(), -5}, KeptInts{resultId<long>(), 5}, KeptInts{resultId<KeptInts>()}}) {
        IntReader reader(damaged);
        CHECK_THROWS_AS(reader >> ref, SerializationError);
    }
    CHECK_THROWS_AS(out << ref, UsageError);    // a handler sends no Refs
}

}    // namespace ferry::detail
