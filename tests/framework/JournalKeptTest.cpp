// Results that stay with slaves, in jobs that go on at the point where an earlier job ended.
#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/framework/exception/LostResult.hpp>
#include <ferry/framework/journal/Journal.hpp>
#include <ferry/framework/master/BesideJob.hpp>
#include <ferry/framework/parcel/KeptParcel.hpp>
#include <ferry/framework/parcel/ValueMessage.hpp>
#include <ferry/serialization/exception/SerializationError.hpp>
#include <ferry/serialization/ints/IntWriter.hpp>
#include <ferry/tests/framework/JournalFiles.hpp>
#include <ferry/tests/framework/TestTasks.hpp>
#include <ferry/tests/support/Ranks.hpp>
#include <ferry/tests/support/TemporaryFolder.hpp>

using namespace ferry;
using namespace ferry::test;

namespace journalkepttest {

using CountedUp = std::vector<int>;

struct CountUp {
    int from = 0;
    using Reply = CountedUp;
};
struct DoubleUp {
    Ref<CountedUp> of;
    using Reply = CountedUp;
};
struct JoinUp {
    std::vector<Ref<CountedUp>> parts;
    std::optional<Ref<CountedUp>> first;
    int plus = 0;
    using Reply = long;
};

struct CountTogether {
    int from = 0;
    using Reply = CountedUp;
};

/// A slave refuses all tasks when the shared table says so.
void defineCounting(Slave& slave) {
    const auto refuse = [](Task& about) {
        if (about.shared<Table>().rows.at(0) != 0) throw Refused(13);
    };
    slave.on<CountUp>([refuse](const CountUp& task, Task& about) {
        refuse(about);
        return CountedUp{task.from, task.from + 1, task.from + 2};
    });
    slave.on<CountTogether>([](const CountTogether& task, Team&) { return CountedUp{task.from}; });
    slave.on<DoubleUp>([refuse](const DoubleUp& task, Task& about) {
        refuse(about);
        CountedUp numbers = *task.of;
        for (int& number : numbers) number *= 2;
        return numbers;
    });
    slave.on<JoinUp>([refuse](const JoinUp& task, Task& about) {
        refuse(about);
        long total = task.plus;
        for (const Ref<CountedUp>& part : task.parts) total = total * 1000 + part->at(0);
        return task.first ? total * 1000 + (*task.first)->at(0) : total;
    });
}

enum class SlaveConduct { Works, Refuses };

/// Runs the program in a job of its own with each conduct of the slaves, one after the other, with one journal.
void runEachWithJournal(const std::vector<SlaveConduct>& conducts,
                        const std::function<void(Master&, detail::Journal&, std::size_t run)>& program) {
    runJob(defineCounting, [&](Master& outer) {
        const TemporaryFolder folder;
        for (std::size_t run = 0; run < conducts.size(); ++run) {
            detail::Journal journal(journalSettings(folder / "journal"));
            Master master(outer.connector(), detail::BesideJob{.journal = &journal, .groups = groupsOfThisJob()});
            master.share(Table{{conducts[run] == SlaveConduct::Refuses ? 1 : 0}});
            program(master, journal, run);
            master.waitForAll(Deadline::in(std::chrono::minutes(1)));
        }
    });
}

}    // namespace journalkepttest

using namespace journalkepttest;

TEST_CASE("journal of kept results: what is done is not done again, and a result is made again when something needs it") {
    runEachWithJournal({SlaveConduct::Works, SlaveConduct::Refuses, SlaveConduct::Works},
                       [](Master& master, detail::Journal& journal, std::size_t run) {
                           CHECK(journal.leftCount() == (run == 0 ? 0u : 5u));
                           const Ref<CountedUp> one = master.submit(CountUp{3}, Keep{}).get();
                           const Ref<CountedUp> two = master.submit(DoubleUp{one}, Keep{}).get();
                           Future<Ref<CountedUp>> three = master.submit(DoubleUp{two}, Keep{});
                           const Ref<CountedUp> last = three.get();
                           Future<long> total = master.submit(JoinUp{{one, two, last}, one, 0});
                           CHECK(total.hasArrived() == (run != 0));
                           CHECK(total.get() == 3'006'012'003);
                           if (run == 0) {
                               CHECK(master.submit(CountUp{8}).get() == CountedUp{8, 9, 10});    // is no kept task in the next runs
                           } else if (run == 1) {
                               CHECK_THROWS_WITH_AS(last.get(), doctest::Contains("was done again, and has failed"), LostResult);
                           } else {
                               CHECK(last.get() == CountedUp{12, 16, 20});    // with the two results before it
                               CHECK(master.submit(JoinUp{{last}, {}, 1}).get() == 1012);
                               CHECK(master.submit(CountUp{8}, Keep{}).get().get() == CountedUp{8, 9, 10});
                           }
                       });
}

TEST_CASE("journal of kept results: a task is known by the results that it reads") {
    runEachWithJournal({SlaveConduct::Works, SlaveConduct::Works}, [](Master& master, detail::Journal&, std::size_t run) {
        const Ref<CountedUp> unused = run == 0 ? Ref<CountedUp>() : master.submit(CountUp{70}, Keep{}).get();    // other numbers of results
        const Ref<CountedUp> one = master.submit(CountUp{1}, Keep{}).get();
        const Ref<CountedUp> same = master.submit(CountUp{1}, Keep{}).get();
        const Ref<CountedUp> two = master.submit(CountUp{2}, Keep{}).get();
        const auto hasArrived = [&](const JoinUp& task, long expected) {
            Future<long> total = master.submit(task);
            const bool isThere = total.hasArrived();
            CHECK(total.get() == expected);
            return isThere;
        };
        CHECK(hasArrived({{one, two}, {}, 0}, 1002) == (run == 1));
        CHECK(hasArrived({{one}, two, 0}, 1002) == (run == 1));
        CHECK(hasArrived({{one, same, one}, two, 0}, 1'001'001'002) == (run == 1));
        CHECK(hasArrived({{}, {}, 5}, 5) == (run == 1));
        if (run == 0) return;
        CHECK_FALSE(hasArrived({{two, one}, {}, 0}, 2001));
        CHECK_FALSE(hasArrived({{same, two}, {}, 0}, 1002));
        CHECK_FALSE(hasArrived({{one, one, same}, two, 0}, 1'001'001'002));
        CHECK_FALSE(hasArrived({{one, unused}, {}, 0}, 1070));
    });
}

TEST_CASE("journal of kept results: a result of a task that is not repeatable is lost with its run") {
    runEachWithJournal({SlaveConduct::Works, SlaveConduct::Works}, [](Master& master, detail::Journal&, std::size_t run) {
        const Ref<CountedUp> once = master.submit(CountUp{4}, Keep{}, {.isRepeatable = false}).get();
        CHECK(master.submit(JoinUp{{once}, {}, 0}).get() == 4);    // from the journal in the second run
        if (run == 0) return;
        CHECK_THROWS_WITH_AS(once.get(), doctest::Contains("isRepeatable is false"), LostResult);
        CHECK_THROWS_WITH_AS(master.submit(JoinUp{{once}, {}, 1}).get(), doctest::Contains("isRepeatable is false"), LostResult);
        const Ref<CountedUp> again = master.submit(CountUp{4}, Keep{}, {.isRepeatable = false}).get();    // the program decides
        CHECK(master.submit(JoinUp{{again}, {}, 1}).get() == 1004);
    });
}

TEST_CASE("journal of kept results: the journal knows no team, and no task that reads the result of one") {
    runEachWithJournal({SlaveConduct::Works, SlaveConduct::Works}, [](Master& master, detail::Journal& journal, std::size_t) {
        const Ref<CountedUp> ofTeam = master.submit(CountTogether{4}, ranks(1), Keep{}).get();
        const Ref<CountedUp> doubled = master.submit(DoubleUp{ofTeam}, Keep{}).get();
        CHECK(master.submit(JoinUp{{ofTeam, doubled}, {}, 0}).get() == 4008);
        CHECK(journal.leftCount() == 0);
        CHECK(doubled.get() == CountedUp{8});
    });
}

TEST_CASE("journal of kept results: a reply of the journal that fits no kept result fails its task alone") {
    runJob(defineCounting, [](Master& outer) {
        const TemporaryFolder folder;
        {
            detail::Journal journal(journalSettings(folder / "journal"));
            IntBuffer task;
            {
                const detail::ValueMessage<CountUp> count(std::in_place, CountUp{5});
                IntWriter out(task);
                out.writeInt(count.classId());
                out << static_cast<const Message&>(count);
            }
            journal.add(journal.keyOf(detail::keepTaskKey, task.ints()), detail::keptReplyKey, intsOf(1, 3));
            journal.add(journal.keyOf(detail::keepTaskKey, task.ints()), detail::classIdFor<Multiplied>, intsOf(1, 2));
            journal.write({});
        }
        detail::Journal journal(journalSettings(folder / "journal"));
        Master master(outer.connector(), detail::BesideJob{.journal = &journal, .groups = groupsOfThisJob()});
        master.share(Table{{0}});
        for (int i = 0; i < 2; ++i) CHECK_THROWS_AS(master.submit(CountUp{5}, Keep{}).get(), SerializationError);
        CHECK(journal.leftCount() == 0);
        CHECK(master.submit(CountUp{5}).get() == CountedUp{5, 6, 7});
    });
}
