// Jobs that go on at the point where an earlier job ended.
#include <sys/resource.h>

#include <chrono>
#include <cstddef>
#include <exception>
#include <filesystem>
#include <functional>
#include <numeric>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/connector/exception/Terminated.hpp>
#include <ferry/framework/journal/Journal.hpp>
#include <ferry/framework/master/BesideJob.hpp>
#include <ferry/serialization/file/FileError.hpp>
#include <ferry/tests/framework/JournalFiles.hpp>
#include <ferry/tests/framework/TestTasks.hpp>
#include <ferry/tests/support/Ranks.hpp>
#include <ferry/tests/support/TemporaryFolder.hpp>

using namespace ferry;
using namespace ferry::test;
using namespace std::chrono_literals;

namespace journaljobtest {

/// A slave refuses tasks with left = 13, and all tasks when the shared table says so. A task with left < 0 submits two others.
void defineMoody(Slave& slave) {
    slave.on<Multiply>([](const Multiply& task, Task& about) {
        if (task.left == 13 || about.shared<Table>().rows.at(0) != 0) throw Refused(task.left);
        if (task.left < 0) {
            for (int child = 0; child < 2; ++child) about.submit(Multiply(task.left + 1, task.right));
        }
        Multiplied reply(static_cast<long>(task.left) * task.right);
        reply.bytes.resize(static_cast<std::size_t>(task.right), 'x');
        return reply;
    });
}

/// Runs a job once. Several runs use the same journal file.
void runWith(Connector& connector, const detail::JournalSettings& settings, bool refuse,
             const std::function<void(Master&, detail::Journal&)>& program) {
    detail::Journal journal(settings);
    Master master(connector, detail::BesideJob{.journal = &journal, .groups = groupsOfThisJob()});
    master.share(Table{{refuse ? 1 : 0}});
    program(master, journal);
    master.waitForAll(Deadline::in(1min));    // no reply remains for the next run, whose tasks have the same numbers
}

std::vector<Multiply> someTasks() {
    std::vector<Multiply> tasks;
    for (int i = 0; i < 200; ++i) tasks.emplace_back(20 + i % 50, 3 + i % 5);    // many of the tasks are equal
    return tasks;
}

std::vector<long> valuesOf(Master& master, MapOrder order) {
    std::vector<long> values;
    for (const Multiplied& reply : master.map(someTasks(), order)) {
        CHECK(reply.bytes.size() >= 3);
        values.push_back(reply.value);
    }
    return values;
}

}    // namespace journaljobtest

using namespace journaljobtest;

TEST_CASE("Journal: a job with the journal of an earlier one has the same replies, and no slave has its tasks") {
    runJob(defineMoody, [](Master& outer) {
        const TemporaryFolder folder;
        const detail::JournalSettings settings = journalSettings(folder / "journal");
        std::vector<long> values;
        std::multiset<long> submitted;
        runWith(outer.connector(), settings, false, [&](Master& master, detail::Journal&) {
            values = valuesOf(master, MapOrder::Submission);
            for (int i = 0; i < 3; ++i) submitted.insert(master.submit(Multiply(7, 8)).get().value);
        });
        CHECK(values.size() == 200);
        for (const MapOrder order : {MapOrder::Submission, MapOrder::Completion}) {
            runWith(outer.connector(), settings, true, [&](Master& master, detail::Journal& journal) {
                CHECK(journal.leftCount() == 203);
                auto future = master.submit(Multiply(7, 8));
                CHECK(future.hasArrived());
                CHECK_FALSE(future.cancel());
                auto product = std::move(future).then([](const Multiplied& reply) { return reply.value; });
                CHECK(product.get() == 56);
                std::multiset<long> expected(values.begin(), values.end());
                const std::vector<long> found = valuesOf(master, order);
                CHECK(std::multiset<long>(found.begin(), found.end()) == expected);
                if (order == MapOrder::Submission) CHECK(found == values);
                CHECK(journal.leftCount() == 2);
                CHECK_THROWS_AS(master.submit(Multiply(21, 9)).get(), Refused);
            });
        }
    });
}

TEST_CASE("Journal: a task that has failed is done again") {
    runJob(defineMoody, [](Master& outer) {
        const TemporaryFolder folder;
        const detail::JournalSettings settings = journalSettings(folder / "journal");
        runWith(outer.connector(), settings, true,
                [](Master& master, detail::Journal&) { CHECK_THROWS_AS(master.submit(Multiply(2, 3)).get(), Refused); });
        for (const bool refuse : {false, true}) {
            runWith(outer.connector(), settings, refuse,
                    [](Master& master, detail::Journal&) { CHECK(master.submit(Multiply(2, 3)).get().value == 6); });
        }
    });
}

TEST_CASE("Journal: of a job that ended in the middle, the rest is done") {
    runJob(defineMoody, [](Master& outer) {
        const TemporaryFolder folder;
        const detail::JournalSettings settings = journalSettings(folder / "journal");
        runWith(outer.connector(), settings, false, [](Master& master, detail::Journal&) {
            int count = 0;
            for ([[maybe_unused]] const Multiplied& reply : master.map(someTasks())) {
                if (++count == 70) break;
            }
        });
        runWith(outer.connector(), settings, false, [](Master& master, detail::Journal& journal) {
            CHECK(journal.leftCount() >= 70);
            CHECK(valuesOf(master, MapOrder::Submission).size() == 200);
            CHECK(journal.leftCount() == 0);
        });
        runWith(outer.connector(), settings, true,
                [](Master& master, detail::Journal&) { CHECK(valuesOf(master, MapOrder::Completion).size() == 200); });
    });
}

TEST_CASE("Journal: that it cannot be written is told once, as a failure of the job and of no task") {
    runJob(defineMoody, [](Master& outer) {
        const TemporaryFolder folder;
        detail::Journal journal(journalSettings(folder / "journal"));
        int stopCount = 0;
        Master master(outer.connector(),
                      detail::BesideJob{
                          .journal = &journal, .groups = groupsOfThisJob(), .stopJob = [&](const std::exception_ptr&) { ++stopCount; }});
        master.share(Table{{0}});
        Future<Multiplied> future = master.submit(Multiply(2, 3));
        rlimit before{};
        ::getrlimit(RLIMIT_FSIZE, &before);
        const rlimit limit{static_cast<rlim_t>(std::filesystem::file_size(folder / "journal") + 8), before.rlim_max};
        ::setrlimit(RLIMIT_FSIZE, &limit);    // writes fail as on a full disk
        CHECK_THROWS_AS(future.get(), FileError);
        ::setrlimit(RLIMIT_FSIZE, &before);
        CHECK_THROWS_AS(static_cast<void>(master.submit(Multiply(2, 4))), Terminated);
        CHECK(stopCount == 1);
    });
}

TEST_CASE("Journal: what handlers submit comes again, though the tasks around are done already") {
    runJob(defineMoody, [](Master& outer) {
        const TemporaryFolder folder;
        const detail::JournalSettings settings = journalSettings(folder / "journal");
        for (const bool isResumed : {false, true}) {
            runWith(outer.connector(), settings, false, [&](Master& master, detail::Journal& journal) {
                CHECK((journal.leftCount() != 0) == isResumed);
                int count = 0;
                master.onSubmitted<Multiply>(
                    [&](Future<Multiplied> future) { static_cast<void>(std::move(future).then([&](const Multiplied&) { ++count; })); });
                static_cast<void>(master.submit(Multiply(-5, 2)));
                master.waitForAll(Deadline::in(1min));
                CHECK(count == 62);
            });
        }
    });
}
