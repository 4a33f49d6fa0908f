#include <ferry/framework/slave/KeptStore.hpp>

#include <sys/stat.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/connector/transport/ThreadTransport.hpp>
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
        const Envelope envelope{MessageKind::TaskNotice, static_cast<std::int32_t>(kind), number};
        return {from, envelope, master.pack(envelope, [&](IntWriter& out) { out << numbers; })};
    }
    /// A letter with a result of this class ID.
    Letter result(std::int32_t number, ClassId id, const KeptInts& value) {
        const Envelope envelope{MessageKind::TaskNotice, static_cast<std::int32_t>(TaskNotice::Kept), number};
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
    Letter next(Mailbox& mailbox) { return mailbox.take(Filter({MessageKind::TaskNotice})); }

    test::TemporaryFolder folder;
    std::vector<std::unique_ptr<Transport>> transports = threadTransports(3);
    Mailbox master{*transports[0], ObjectFactory::global()};
    Mailbox slave{*transports[1], ObjectFactory::global()};
    Mailbox other{*transports[2], ObjectFactory::global()};
    KeptStore store;
};

std::filesystem::path onlyFileIn(const std::filesystem::path& folder) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
        if (entry.is_regular_file()) return entry.path();
    }
    return {};
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
        CHECK(onlyFileIn(stores.folder.path()).empty());
    }
}

TEST_CASE("KeptStore: the master hears of a result that is not here, and of one whose file is gone") {
    Stores stores(0);
    CHECK(stores.store.takeAtOnce(stores.notice(TaskNotice::Give, 8, {2})));
    CHECK(noticeIn(stores.next(stores.master)) == TaskNotice::Absent);
    stores.keep(9, 5);
    std::filesystem::remove(onlyFileIn(stores.folder.path()));
    CHECK(stores.store.takeAtOnce(stores.notice(TaskNotice::Give, 9, {2})));
    const Letter absent = stores.next(stores.master);
    CHECK(noticeIn(absent) == TaskNotice::Absent);
    CHECK(absent.envelope.number == 9);
    CHECK(numbersIn(absent) == KeptInts{2});
}

TEST_CASE("KeptStore: beyond the limit, results that no task reads move to files of their user alone, and come back") {
    Stores stores(4 * 2 * 1000 * sizeof(std::int32_t));
    for (std::int32_t number = 1; number <= 20; ++number) stores.keep(number, 1000);
    CHECK(stores.store.memoryBytes() <= 4 * 2 * 1000 * sizeof(std::int32_t));
    CHECK(stores.store.fileCount() >= 16);
    struct stat status {};
    REQUIRE(::stat(onlyFileIn(stores.folder.path()).c_str(), &status) == 0);
    CHECK((status.st_mode & 0777) == 0600);
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
