// Results that stay with the slaves that made them.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/connector/exception/Cancelled.hpp>
#include <ferry/connector/exception/ExceptionList.hpp>
#include <ferry/connector/exception/TimeoutError.hpp>
#include <ferry/framework/slave/KeptStore.hpp>
#include <ferry/serialization/exception/UsageError.hpp>
#include <ferry/tests/framework/TestTasks.hpp>
#include <ferry/tests/support/Ranks.hpp>
#include <ferry/tests/support/ThrownBy.hpp>

using namespace ferry;
using namespace ferry::test;

namespace keeptest {

using Numbers = std::vector<int>;

enum class Conduct : int {
    Usual,
    Throws,
    Waits,           ///< waits for a number from the master
    ThrowsFirst,     ///< throws at the first try
    SubmitsRef,      ///< submits a task that has the Ref
    BringsRef,       ///< calls get() of the Ref
    AnswersByRef,    ///< returns the Ref
};

struct Make {
    int count = 0;
    Conduct conduct = Conduct::Usual;
    using Reply = Numbers;
};
/// A struct inside the task that has Refs.
struct Parts {
    std::vector<Ref<Numbers>> parts;
    std::optional<Ref<Numbers>> more;
};
struct AddUp {
    Parts inside;
    Conduct conduct = Conduct::Usual;
    using Reply = long;
};
/// A result that is a message, and one that has a Ref.
struct MakeMessage {
    int number = 0;
    using Reply = Multiplied;
};
struct ReadMessage {
    Ref<Multiplied> ref;
    using Reply = long;
};
struct Echo {
    Ref<Numbers> ref;
    using Reply = Ref<Numbers>;
};
/// A task of a team that reads results.
struct AddTogether {
    Parts inside;
    int failing = -1;    ///< the rank of the team that throws
    using Reply = long;
};
/// A task of a team whose result can stay.
struct MakeTogether {
    std::optional<Ref<Numbers>> before;
    int failing = -1;
    using Reply = Numbers;
};
struct CountKept {
    using Reply = int;
};

Numbers make(const Make& task, Task& context) {
    if (task.conduct == Conduct::Throws) throw Refused(task.count);
    if (task.conduct == Conduct::Waits) context.connector().receive<int>(0);
    return Numbers(static_cast<std::size_t>(task.count), 1);
}

long sum(const AddUp& task, Task& context) {
    if (task.conduct == Conduct::Throws) throw Refused(5);
    if (task.conduct == Conduct::Waits) context.connector().receive<int>(0);
    if (task.conduct == Conduct::SubmitsRef) context.submit(task);
    if (task.conduct == Conduct::BringsRef) static_cast<void>(task.inside.parts.at(0).get());
    long total = 0;
    for (const Ref<Numbers>& part : task.inside.parts) total += static_cast<long>(part->size());
    if (task.inside.more) total += static_cast<long>((**task.inside.more).size());
    return total;
}

/// Each rank of the team adds up all parts.
long sumTogether(const AddTogether& task, Team& team) {
    if (team.connector().rank() == task.failing) throw Refused(task.failing);
    return team.connector().allReduce(sum({task.inside, Conduct::Usual}, team.task()), Sum{});
}

/// The ranks of the job in the order of the team, behind the numbers that were made before.
Numbers makeTogether(const MakeTogether& task, Team& team) {
    Connector& c = team.connector();
    if (c.rank() == task.failing) throw Refused(task.failing);
    Numbers numbers = task.before ? **task.before : Numbers();
    for (int rank = 0; rank < c.size(); ++rank) numbers.push_back(c.rankInJob(rank));
    c.barrier();
    return c.rank() == 0 ? numbers : Numbers();
}

void define(Slave& slave) {
    const auto failed = std::make_shared<std::atomic<int>>(0);
    slave.on<Make>([failed](const Make& task, Task& context) {
        if (task.conduct == Conduct::ThrowsFirst && (*failed)++ % 2 == 0) throw std::range_error("the first try");
        return make(task, context);
    });
    slave.on<AddUp>(sum);
    slave.on<MakeMessage>([](const MakeMessage& task) { return Multiplied(task.number); });
    slave.on<ReadMessage>([](const ReadMessage& task) { return task.ref->value; });
    slave.on<Echo>([](const Echo& task) { return task.ref; });
    slave.on<AddTogether>(sumTogether);
    slave.on<MakeTogether>(makeTogether);
    slave.on<CountKept>([](const CountKept&) { return static_cast<int>(detail::KeptStore::ofThisThread()->count()); });
}

void runKeeps(const std::function<void(Master&)>& program) { runJob(define, program); }

/// The greatest number of results on a slave, after each has been asked several times.
int mostKept(Master& master) {
    std::vector<Future<int>> counts;
    for (int i = 0; i < 4 * master.slaveCount(); ++i) counts.push_back(master.submit(CountKept{}));
    int most = 0;
    for (Future<int>& count : counts) most = std::max(most, count.get());
    return most;
}

/// Whether no slave keeps more results than these, as soon as the word of the master has come. With sub-masters, tasks overtake it.
bool keepsAtMost(Master& master, int count) {
    int most = mostKept(master);
    for (int i = 0; i < 100 && most > count; ++i) most = mostKept(master);
    return most <= count;
}

/// Whether the task ends with its reply, or with the exception: a slave may have begun the task before it hears.
template <class E, class T>
bool endsBy(Future<T>& future) {
    try {
        static_cast<void>(future.get());
        return true;
    } catch (const E&) {
        return true;
    }
}

TEST_CASE("keep: results stay with slaves, tasks read them, and the master brings one") {
    runKeeps([](Master& master) {
        AddUp task;
        for (int i = 1; i <= 8; ++i) task.inside.parts.push_back(master.submit(Make{i}, Keep{}).get());
        task.inside.more = task.inside.parts.front();
        CHECK(master.submit(task).get() == 37);
        CHECK(task.inside.parts[4].get() == Numbers(5, 1));
        CHECK(task.inside.parts[4].get() == Numbers(5, 1));    // anew
    });
}

TEST_CASE("keep: slaves that fetch from each other at once do not block each other") {
    runKeeps([](Master& master) {
        std::vector<Ref<Numbers>> parts;
        std::vector<Future<Ref<Numbers>>> made;
        for (int i = 0; i < 12; ++i) made.push_back(master.submit(Make{20000 + i}, Keep{}));
        for (Future<Ref<Numbers>>& each : made) parts.push_back(each.get());
        std::vector<Future<long>> sums;
        for (int i = 0; i < 20; ++i) sums.push_back(master.submit(AddUp{{parts, {}}, Conduct::Usual}));
        for (Future<long>& each : sums) CHECK(each.get() == 12 * 20000 + 66);
    });
}

TEST_CASE("keep: a result lives while a Ref or an open task has it, and is then removed from all slaves") {
    runKeeps([](Master& master) {
        {
            const Ref<Numbers> ref = master.submit(Make{100}, Keep{}).get();
            Ref<Numbers> copy = ref;
            CHECK(mostKept(master) == 1);
            auto open = master.submit(AddUp{{{std::move(copy)}, {}}, Conduct::Usual});
            CHECK(open.get() == 100);
            CHECK(mostKept(master) == 1);
        }
        auto last = master.submit(AddUp{{{master.submit(Make{7}, Keep{}).get()}, {}}, Conduct::Usual});    // only the task has the Ref
        CHECK(last.get() == 7);
        static_cast<void>(master.submit(Make{7}, Keep{}));    // no Ref at all
        master.waitForAll();
        CHECK(keepsAtMost(master, 0));
    });
}

TEST_CASE("keep: throws in the making and in the reading task arrive, and nothing is kept") {
    runKeeps([](Master& master) {
        auto failing = master.submit(Make{3, Conduct::Throws}, Keep{});
        CHECK_THROWS_AS(static_cast<void>(failing.get()), Refused);
        const Ref<Numbers> ref = master.submit(Make{3}, Keep{}).get();
        CHECK_THROWS_AS(static_cast<void>(master.submit(AddUp{{{ref}, {}}, Conduct::Throws}).get()), Refused);
        CHECK(master.submit(AddUp{{{ref}, {}}, Conduct::Usual}).get() == 3);
        CHECK(mostKept(master) == 1);
    });
}

TEST_CASE("keep: a task that keeps is tried again, cancelled, raised in, and has a deadline") {
    // Without groups: there a free slave gets a task while the others wait.
    runUngroupedJob(define, [](Master& master) {
        const auto again =
            master.submit(Make{2, Conduct::ThrowsFirst}, Keep{}, {.retry = RetryOn<std::range_error>{.times = master.slaveCount()}}).get();
        CHECK(again.get().size() == 2);
        auto raised = master.submit(Make{1, Conduct::Waits}, Keep{});
        static_cast<void>(raised.rank());
        raised.raise(Refused(9));
        CHECK_THROWS_AS(static_cast<void>(raised.get()), Refused);
        std::vector<Future<Ref<Numbers>>> busy;
        for (int i = 0; i < master.slaveCount(); ++i) busy.push_back(master.submit(Make{1, Conduct::Waits}, Keep{}));
        for (Future<Ref<Numbers>>& each : busy) static_cast<void>(each.rank());
        auto cancelled = master.submit(Make{1}, Keep{});
        auto late = master.submit(Make{1}, Keep{}, {.deadline = Deadline::in(std::chrono::milliseconds(0))});
        auto lateReader = master.submit(AddUp{{{again}, {}}, Conduct::Usual}, {.deadline = Deadline::in(std::chrono::milliseconds(0))});
        cancelled.cancel();
        master.poll();
        for (Future<Ref<Numbers>>& each : busy) master.connector().send(each.rank(), 1);
        for (Future<Ref<Numbers>>& each : busy) CHECK(each.get().get().size() == 1);
        CHECK(endsBy<Cancelled>(cancelled));
        CHECK(endsBy<TimeoutError>(late));
        CHECK(endsBy<TimeoutError>(lateReader));
    });
}

TEST_CASE("keep: a slave serves others while its handler waits, and get() has a deadline") {
    // Without groups: there a free slave gets a task while the others wait.
    runUngroupedJob(define, [](Master& master) {
        std::vector<Ref<Numbers>> parts;
        for (int i = 0; i < 2 * master.slaveCount(); ++i) parts.push_back(master.submit(Make{10}, Keep{}).get());
        std::vector<Future<long>> waiting;
        for (int i = 0; i < master.slaveCount(); ++i) waiting.push_back(master.submit(AddUp{{parts, {}}, Conduct::Waits}));
        for (Future<long>& each : waiting) static_cast<void>(each.rank());
        for (const Ref<Numbers>& part : parts) CHECK(part.get().size() == 10);    // all handlers wait
        for (Future<long>& each : waiting) master.connector().send(each.rank(), 1);
        for (Future<long>& each : waiting) CHECK(each.get() == 20 * master.slaveCount());
    });
}

TEST_CASE("keep: get() brings the result that it began with although a function assigns its Ref meanwhile") {
    runKeeps([](Master& master) {
        Ref<Numbers> model = master.submit(Make{1}, Keep{}).get();
        Future<Ref<Numbers>> better = master.submit(Make{2}, Keep{});
        while (!better.ready()) {}
        static_cast<void>(better.then([&model](Ref<Numbers> ref) { model = std::move(ref); }));    // runs in the next wait
        CHECK(model.get() == Numbers(1, 1));
        CHECK(model.get() == Numbers(2, 1));
    });
}

TEST_CASE("keep: a result that is a message, then(), and options of tasks") {
    runKeeps([](Master& master) {
        auto length = master.submit(Make{6}, Keep{}, {.priority = 1}).then([&master](const Ref<Numbers>& ref) {
            return master.submit(AddUp{{{ref, ref}, {}}, Conduct::Usual});
        });
        CHECK(length.get() == 12);
        const Ref<Multiplied> message = master.submit(MakeMessage{5}, Keep{}).get();
        CHECK(master.submit(ReadMessage{message}).get() == 5);
        CHECK(message.get().value == 5);
    });
}

TEST_CASE("keep: what cannot work is refused by name") {
    runKeeps([](Master& master) {
        const Ref<Numbers> ref = master.submit(Make{1}, Keep{}).get();
        const auto textOf = [](const auto& call) {
            try {
                call();
            } catch (const UsageError& error) {
                return std::string(error.what());
            }
            return std::string("no UsageError");
        };
        const auto says = [&textOf](const auto& call, const char* part) {
            const std::string text = textOf(call);
            CAPTURE(text);
            CHECK(text.find(part) != std::string::npos);
        };
        says([&] { static_cast<void>(*ref); }, "on the master, get() brings the result");
        says([&] { static_cast<void>(*Ref<Numbers>()); }, "it is empty");
        says([&] { static_cast<void>(Ref<Numbers>().get()); }, "it is empty");
        says([&] { master.connector().send(1, ref); }, "only in a task that the master submits");
        says([&] { master.share(ref); }, "only in a task that the master submits");
        says(
            [&] {
                static_cast<void>(master.submit(AddUp{{{ref}, {}}, Conduct::SubmitsRef}).get());
            },
            "only in a task that the master submits");
        says([&] { static_cast<void>(master.submit(AddUp{{{ref}, {}}, Conduct::BringsRef}).get()); }, "a handler reads it by *ref");
        says([&] { static_cast<void>(master.submit(Echo{ref}).get()); }, "only in a task that the master submits");
        says([&] { static_cast<void>(master.submit(AddUp{{{Ref<Numbers>()}, {}}, Conduct::Usual}).get()); }, "it is empty");
        {
            Master other(master.connector());
            says([&] { static_cast<void>(other.submit(AddUp{{{ref}, {}}, Conduct::Usual})); }, "a Ref of another master");
        }
        CHECK(master.submit(AddUp{{{ref}, {}}, Conduct::Usual}).get() == 1);
    });
}

TEST_CASE("keep: each slave of a team has the results that its task reads") {
    runKeeps([](Master& master) {
        AddTogether task;
        for (int i = 1; i <= 8; ++i) task.inside.parts.push_back(master.submit(Make{1000 * i}, Keep{}).get());
        task.inside.more = task.inside.parts.front();
        for (int size = 1; size <= master.slaveCount(); ++size) CHECK(master.submit(task, ranks(size)).get() == 37000L * size);
        task.failing = 0;
        auto failing = master.submit(task, ranks(master.slaveCount()));
        CHECK_THROWS_AS(static_cast<void>(failing.get()), ExceptionList);
        std::vector<Future<long>> sums;    // teams and tasks of one slave beside each other
        for (int i = 0; i < 4; ++i) {
            sums.push_back(master.submit(AddTogether{task.inside, -1}, ranks(1 + i % master.slaveCount())));
            sums.push_back(master.submit(AddUp{task.inside, Conduct::Usual}));
        }
        for (int i = 0; i < 4; ++i) {
            CHECK(sums[static_cast<std::size_t>(2 * i)].get() == 37000L * (1 + i % master.slaveCount()));
            CHECK(sums[static_cast<std::size_t>(2 * i + 1)].get() == 37000);
        }
        task = {};
        master.waitForAll();
        CHECK(keepsAtMost(master, 0));
    });
}

TEST_CASE("keep: the result of a team stays with its rank 0, for tasks of slaves and of teams") {
    runKeeps([](Master& master) {
        const int size = std::min(master.slaveCount(), 3);
        Ref<Numbers> last = master.submit(MakeTogether{}, ranks(size), Keep{}).get();
        CHECK(last.get().size() == static_cast<std::size_t>(size));
        for (int i = 0; i < 3; ++i) last = master.submit(MakeTogether{last}, ranks(size), Keep{}, {.priority = i}).get();
        CHECK(last.get().size() == static_cast<std::size_t>(4 * size));
        CHECK(master.submit(AddUp{{{last, last}, {}}, Conduct::Usual}).get() == 8 * size);
        CHECK(master.submit(AddTogether{{{last}, {}}}, ranks(size)).get() == 4L * size * size);
        CHECK(keepsAtMost(master, 1));    // on the slaves that have read it; the earlier results are gone
        auto failing = master.submit(MakeTogether{last, size - 1}, ranks(size), Keep{});
        CHECK_THROWS_AS(static_cast<void>(failing.get()), ExceptionList);
        last = {};
        master.waitForAll();
        CHECK(keepsAtMost(master, 0));
    });
}

TEST_CASE("keep: a Ref that outlives its master says so, and releases nothing") {
    std::optional<Ref<Numbers>> left;
    runKeeps([&left](Master& master) {
        Ref<Numbers> ref = master.submit(Make{1}, Keep{}).get();
        for (int i = 0; i < 100; ++i) static_cast<void>(master.submit(AddUp{{{ref}, {}}, Conduct::Usual}));
        left = ref;
    });
    if (left) CHECK_THROWS_AS(static_cast<void>(left->get()), UsageError);
}

TEST_CASE("keep: a slave that keeps a result does not leave the job") {
    runKeeps([](Master& master) {
        if (master.slaveCount() < 2) return;
        std::vector<Ref<Numbers>> refs;
        for (int i = 0; i < 8 * master.slaveCount(); ++i) refs.push_back(master.submit(Make{1}, Keep{}).get());
        master.dismissSlaves(master.slaveCount());
        for (const Ref<Numbers>& ref : refs) CHECK(ref.get().size() == 1);
    });
}

}    // namespace keeptest
