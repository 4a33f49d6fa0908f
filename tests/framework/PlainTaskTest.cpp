// Tasks that are plain structs, and replies that are values.
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/connector/exception/Cancelled.hpp>
#include <ferry/connector/exception/TimeoutError.hpp>
#include <ferry/connector/exception/report/Report.hpp>
#include <ferry/framework/ending/ExitStatus.hpp>
#include <ferry/framework/journal/Journal.hpp>
#include <ferry/framework/master/BesideJob.hpp>
#include <ferry/framework/parcel/ValueMessage.hpp>
#include <ferry/serialization/exception/Origin.hpp>
#include <ferry/serialization/exception/SerializationError.hpp>
#include <ferry/serialization/exception/UsageError.hpp>
#include <ferry/tests/framework/JournalFiles.hpp>
#include <ferry/tests/framework/TestTasks.hpp>
#include <ferry/tests/support/Ranks.hpp>
#include <ferry/tests/support/TemporaryFolder.hpp>

using namespace ferry;
using namespace ferry::test;
using namespace std::chrono_literals;

namespace plaintasktest {

struct Square {
    int number = 0;
    using Reply = long;
};

namespace other {

struct Square {    // another struct of one name
    double side = 0;
    using Reply = double;
};

}    // namespace other

struct Words {
    std::vector<std::string> words{};
    using Reply = std::vector<std::string>;
};

struct Count {
    std::string text{};
    std::map<std::string, int> start{};
    using Reply = std::map<std::string, int>;
};

/// A class with fields of its own, as a task and as a reply.
class Interval {
public:
    FERRY_FIELDS(first_, last_)
    using Reply = Interval;
    Interval() = default;
    Interval(int first, int last) : first_(first), last_(last) {}
    int length() const { return last_ - first_; }
    Interval half() const { return {first_, first_ + length() / 2}; }

private:
    int first_ = 0;
    int last_ = 0;
};

struct Pause {    // ends when the master sends an int, or when the task is cancelled
    int value = 0;
    using Reply = int;
};

struct Nothing {
    int number = 0;
    using Reply = void;
};
struct AlsoNothing {
    int number = 0;
    using Reply = Done;
};

struct MessageReply {
    int left = 0;
    int right = 0;
    using Reply = Multiplied;
};

class Half : public Message {    // a message whose reply is a value
public:
    FERRY_CLASS(plaintasktest::Half)
    FERRY_FIELDS(number)
    using Reply = double;
    Half() = default;
    explicit Half(int theNumber) : number(theNumber) {}
    int number = 0;
};

struct MoveOnly {
    std::unique_ptr<int> number{};
    struct Reply {
        std::unique_ptr<int> twice{};
    };
};

struct Attempt {    // the handler counts on its slave
    int number = 0;
    using Reply = int;
};

struct Tree {
    int depth = 0;
    using Reply = int;
};

struct Unhandled {
    int number = 0;
    using Reply = int;
};

/// A value that cannot be read when its number is 3, and cannot be written when it is 5.
struct BrittleValue {
    int number = 0;
    void writeToInts(IntWriter& out) const {
        if (number == 5) throw Refused(number);
        out << number;
    }
    void readFromInts(IntReader& in) {
        in >> number;
        if (number == 3) in.fail("another number", "3");
    }
};
struct BrittleTask {
    BrittleValue value{};
    int answer = 0;
    using Reply = BrittleValue;
};

void definePlainTasks(Slave& slave) {
    slave.setUp([](Connector&) { return std::make_shared<int>(0); });
    slave.on<Square>([](const Square& task) {
        if (task.number == 13) FERRY_THROW(Refused(task.number));
        return static_cast<long>(task.number) * task.number;
    });
    slave.on<other::Square>([](const other::Square& task, Task&) { return task.side * task.side; });
    slave.on<Words>([](const Words& task) {
        std::vector<std::string> words = task.words;
        std::sort(words.begin(), words.end());
        return words;
    });
    slave.on<Count>([](const Count& task) {
        std::map<std::string, int> counts = task.start;
        for (const char letter : task.text) ++counts[std::string(1, letter)];
        return counts;
    });
    slave.on<Interval>([](const Interval& task) { return task.half(); });
    slave.on<Pause>([](const Pause& task, Task& about) {
        if (task.value < 0) {
            about.connector().send(0, about.number());
            while (!about.cancelled()) {}
            about.throwIfCancelled();
        }
        return about.connector().receive<int>(0) + task.value;
    });
    slave.on<Nothing>([](const Nothing& task) {
        if (task.number == 13) throw Refused(task.number);
    });
    slave.on<AlsoNothing>([](const AlsoNothing&) {});
    slave.on<MessageReply>([](const MessageReply& task) { return Multiplied(static_cast<long>(task.left) * task.right); });
    slave.on<Multiply>([](const Multiply& task) { return Multiplied(static_cast<long>(task.left) * task.right); });
    slave.on<Half>([](const Half& task) { return task.number / 2.0; });
    slave.on<MoveOnly>([](const MoveOnly& task) {
        MoveOnly::Reply reply;
        if (task.number) reply.twice = std::make_unique<int>(2 * *task.number);
        return reply;
    });
    slave.on<Attempt>([](const Attempt& task, Task& about) {
        const int times = ++about.state<int>();
        if (task.number < 0) throw Refused(times);
        return task.number + about.shared<Table>().rows.at(0);
    });
    slave.on<Tree>([](const Tree& task, Task& about) {
        for (int child = 0; task.depth > 0 && child < 2; ++child) about.submit(Tree{task.depth - 1}, child);
        if (task.depth == 0) about.submit(Multiply(3, 4));    // a message from the handler of a struct
        return task.depth;
    });
    slave.on<BrittleTask>([](const BrittleTask& task) { return BrittleValue{task.answer}; });
}

}    // namespace plaintasktest

using namespace plaintasktest;

TEST_CASE("Plain task: a struct is done by a slave, and its reply is a number") {
    runJob(definePlainTasks, [](Master& master) {
        Future<long> future = master.submit(Square{12});
        CHECK(future.get() == 144);
        CHECK_FALSE(future.isValid());
    });
}

TEST_CASE("Plain task: replies of every kind, structs and messages mixed in one job") {
    runJob(definePlainTasks, [](Master& master) {
        Future<std::vector<std::string>> words = master.submit(Words{{"slave", "master", "job"}});
        Future<std::map<std::string, int>> counts = master.submit(Count{"abba", {{"c", 7}}});
        Future<Interval> interval = master.submit(Interval(10, 30));
        Future<void> nothing = master.submit(Nothing{1});
        Future<Done> done = master.submit(AlsoNothing{1});
        Future<Multiplied> message = master.submit(MessageReply{6, 7});
        Future<Multiplied> ofMessage = master.submit(Multiply(6, 8));
        Future<double> half = master.submit(Half(7));
        CHECK(words.get() == std::vector<std::string>{"job", "master", "slave"});
        CHECK(counts.get() == std::map<std::string, int>{{"a", 2}, {"b", 2}, {"c", 7}});
        CHECK(interval.get().length() == 10);
        nothing.get();
        CHECK(done.get().sender() > 0);
        const Multiplied product = message.get();
        CHECK(product.value == 42);
        CHECK(product.sender() > 0);
        CHECK(ofMessage.get().value == 48);
        CHECK(half.get() == 3.5);
        auto failing = master.submit(Nothing{13});
        CHECK_THROWS_AS(failing.get(), Refused);
    });
}

TEST_CASE("Plain task: two structs of one name in two namespaces are two tasks") {
    runJob(definePlainTasks, [](Master& master) {
        auto number = master.submit(plaintasktest::Square{5});
        auto side = master.submit(other::Square{0.5});
        CHECK(number.get() == 25);
        CHECK(side.get() == 0.25);
    });
    CHECK(detail::taskIdOf<plaintasktest::Square>() != detail::taskIdOf<other::Square>());
}

TEST_CASE("Plain task: the type has the ID of its qualified name, and no message class of that name has it") {
    CHECK(detail::taskIdOf<plaintasktest::Square>() == ~detail::classIdOf("plaintasktest::Square"));
    CHECK(std::string(detail::ValueIdentity<plaintasktest::Square>::name()) == "plaintasktest::Square");
    CHECK(std::string(detail::ValueIdentity<std::vector<std::string>>::name()).find("std::vector<std::string") == 0);
    CHECK(detail::taskIdOf<Multiply>() == detail::classIdFor<Multiply>);
    CHECK(ObjectFactory::global().nameOf(detail::taskIdOf<plaintasktest::Square>()) == "plaintasktest::Square");
}

TEST_CASE("Plain task: an exception of the handler has its class, its data, and the name of the struct") {
    runJob(definePlainTasks, [](Master& master) {
        auto refused = master.submit(Square{13});
        try {
            static_cast<void>(refused.get());
            FAIL_CHECK("no exception");
        } catch (const Refused& error) {
            CHECK(error.number == 13);
            CHECK(error.origin().rank > 0);
            CHECK(error.origin().task == "plaintasktest::Square");
            const std::string text = report(std::current_exception());
            CHECK(text.find("plaintasktest::Square") != std::string::npos);
            CHECK(text.find("ValueMessage") == std::string::npos);
        }
        CHECK(master.submit(Square{2}).get() == 4);
    });
}

TEST_CASE("Plain task: map hands out values, in both orders, of a kept, a borrowed and a made range") {
    runJob(definePlainTasks, [](Master& master) {
        std::vector<Square> tasks;
        for (int i = 0; i < 300; ++i) tasks.push_back({100 + i});
        long number = 100;
        for (const long square : master.map(tasks)) {
            CHECK(square == number * number);
            ++number;
        }
        CHECK(number == 400);
        long sum = 0;
        for (const long square : master.map(std::vector<Square>(500, Square{3}), MapOrder::Completion)) sum += square;
        CHECK(sum == 4500);
        int count = 0;
        for ([[maybe_unused]] const Done& done : master.map(std::vector<Nothing>(70, Nothing{1}))) ++count;
        CHECK(count == 70);
        std::vector<MoveOnly> unmoved(20);
        for (int i = 0; i < 20; ++i) unmoved[static_cast<std::size_t>(i)].number = std::make_unique<int>(i);
        int expected = 0;
        for (const MoveOnly::Reply& reply : master.map(unmoved)) {
            REQUIRE(reply.twice);
            CHECK(*reply.twice == 2 * expected++);
        }
        CHECK(*unmoved.front().number == 0);
    });
}

TEST_CASE("Plain task: then, whenAll, whenAny and waitForAll take futures of values") {
    runJob(definePlainTasks, [](Master& master) {
        std::vector<Future<long>> futures;
        for (int i = 0; i < 50; ++i) futures.push_back(master.submit(Square{14 + i}));
        CHECK(whenAny(futures).get() < 50);
        long sum = 0;
        for (const long square : whenAll(std::move(futures)).get()) sum += square;
        CHECK(sum == 84525);    // of the squares from 14 to 63
        auto text = master.submit(Square{12}).then([](long square) { return std::to_string(square); });
        auto chained = master.submit(Square{3}).then([&](long square) { return master.submit(Square{static_cast<int>(square)}); });
        CHECK(text.get() == "144");
        CHECK(chained.get() == 81);
        bool hasRun = false;
        auto after = master.submit(Nothing{1}).then([&] { hasRun = true; });
        master.waitForAll(Deadline::in(1min));
        CHECK(hasRun);
        after.get();
        std::vector<Future<void>> nothings;
        for (int i = 0; i < 5; ++i) nothings.push_back(master.submit(Nothing{i}));
        whenAll(std::move(nothings)).get();
    });
}

TEST_CASE("Plain task: fields that can only be moved travel, and the task stays with its owner") {
    runJob(definePlainTasks, [](Master& master) {
        const MoveOnly task{std::make_unique<int>(21)};
        const MoveOnly::Reply reply = master.submit(task).get();
        REQUIRE(reply.twice);
        CHECK(*reply.twice == 42);
        CHECK(*task.number == 21);
        CHECK(master.submit(MoveOnly{}).get().twice == nullptr);
    });
}

TEST_CASE("Plain task: retries, shared objects and the number of tries") {
    runJob(definePlainTasks, [](Master& master) {
        master.share(Table{{1000}});
        CHECK(master.submit(Attempt{7}).get() == 1007);
        auto failing = master.submit(Attempt{-1}, {.retry = RetryOn<Refused>{.times = 3}});
        try {
            static_cast<void>(failing.get(Deadline::in(1min)));
            FAIL_CHECK("the task fails at each try");
        } catch (const Refused& error) {
            const std::string text = report(std::current_exception());
            CHECK(text.find("try") != std::string::npos);
            CHECK(error.origin().task == "plaintasktest::Attempt");
        }
    });
}

TEST_CASE("Plain task: priorities, deadlines and cancellation are those of other tasks") {
    runJob(definePlainTasks, [](Master& master) {
        if (master.slaveCount() != 1) return;
        master.share(Table{{0}});
        auto busy = master.submit(Pause{5});
        auto low = master.submit(Square{2}, {.priority = -1});
        auto high = master.submit(Square{3}, {.priority = 4});
        auto late = master.submit(Square{4}, {.deadline = Deadline::in(1ms)});
        auto dropped = master.submit(Square{5});
        CHECK(dropped.cancel());
        CHECK_THROWS_AS(static_cast<void>(dropped.get()), Cancelled);
        CHECK_THROWS_AS(static_cast<void>(late.get(Deadline::in(1min))), TimeoutError);
        master.connector().send(1, 10);
        CHECK(busy.get() == 15);
        CHECK(high.get() == 9);
        CHECK(low.get() == 4);
        auto running = master.submit(Pause{-1});
        static_cast<void>(master.connector().receive<int>());
        CHECK_FALSE(running.cancel());
        CHECK_THROWS_AS(static_cast<void>(running.get(Deadline::in(1min))), Cancelled);
    });
}

TEST_CASE("Plain task: thousands of small tasks travel many in a letter, each with its reply") {
    runJob(definePlainTasks, [](Master& master) {
        std::vector<Future<long>> squares;
        std::vector<Future<double>> halves;
        for (int i = 0; i < 2000; ++i) {
            squares.push_back(master.submit(Square{i == 13 ? 14 : i}));
            halves.push_back(master.submit(Half(i)));
        }
        for (int i = 0; i < 2000; ++i) {
            const long number = i == 13 ? 14 : i;
            CHECK(squares[static_cast<std::size_t>(i)].get() == number * number);
            CHECK(halves[static_cast<std::size_t>(i)].get() == i / 2.0);
        }
    });
}

TEST_CASE("Plain task: a large value travels whole") {
    runJob(definePlainTasks, [](Master& master) {
        std::vector<std::string> words(20'000, "word");
        words.front() = "x";
        const std::vector<std::string> sorted = master.submit(Words{words}).get();
        CHECK(sorted.size() == words.size());
        CHECK(sorted.back() == "x");
    });
}

TEST_CASE("Plain task: handlers submit structs, and the master gets their futures") {
    runJob(definePlainTasks, [](Master& master) {
        int structCount = 0;
        long products = 0;
        master.onSubmitted<Tree>([&](Future<int> future) { static_cast<void>(future.then([&](int) { ++structCount; })); });
        master.onSubmitted<Multiply>(
            [&](Future<Multiplied> future) { static_cast<void>(future.then([&](const Multiplied& reply) { products += reply.value; })); });
        static_cast<void>(master.submit(Tree{5}));
        master.waitForAll(Deadline::in(1min));
        CHECK(structCount == 62);
        CHECK(products == 32 * 12);
    });
}

TEST_CASE("Plain task: a slave without a handler tells the struct and the cure") {
    runJob(definePlainTasks, [](Master& master) {
        auto future = master.submit(Unhandled{1});
        try {
            static_cast<void>(future.get());
            FAIL_CHECK("no slave has a handler");
        } catch (const UsageError& error) {
            const std::string text = error.what();
            CHECK(text.find("no handler for a plaintasktest::Unhandled") != std::string::npos);
            CHECK(text.find("app.slave().on<plaintasktest::Unhandled>(handler)") != std::string::npos);
        }
        CHECK(master.submit(Square{2}).get() == 4);
    });
}

TEST_CASE("Plain task: a value that cannot be written or read fails its task, and the job goes on") {
    runJob(definePlainTasks, [](Master& master) {
        CHECK_THROWS_AS(static_cast<void>(master.submit(BrittleTask{{5}, 0})), Refused);
        auto unreadTask = master.submit(BrittleTask{{3}, 0});
        auto unwrittenReply = master.submit(BrittleTask{{0}, 5});
        auto unreadReply = master.submit(BrittleTask{{0}, 3});
        CHECK_THROWS_AS(static_cast<void>(unreadTask.get()), SerializationError);
        CHECK_THROWS_AS(static_cast<void>(unwrittenReply.get()), Refused);
        CHECK_THROWS_AS(static_cast<void>(unreadReply.get()), SerializationError);
        CHECK(master.submit(BrittleTask{{0}, 7}).get().number == 7);
    });
}

TEST_CASE("Plain task: the ints are those of the value, and a damaged or cut-off task is refused with a typed error") {
    IntBuffer ints;
    IntWriter out(ints);
    const Count task{"ab", {{"c", 7}}};
    const detail::BorrowedValue<Count> message(task);
    message.writeToInts(out);
    out.finish();
    IntBuffer plain;
    IntWriter plainOut(plain);
    plainOut << task;
    plainOut.finish();
    REQUIRE(std::ranges::equal(ints.ints(), plain.ints()));
    const detail::ClassId id = detail::taskIdOf<Count>();
    for (std::size_t length = 0; length < ints.ints().size(); ++length) {
        IntReader in(ints.ints().first(length));
        const auto arrived = ObjectFactory::global().createAs<Message>(id);
        CHECK_THROWS_AS(in >> *arrived, SerializationError);
    }
    for (std::size_t place = 0; place < ints.ints().size(); ++place) {
        std::vector<std::int32_t> damaged(ints.ints().begin(), ints.ints().end());
        damaged[place] = -7;
        IntReader in(damaged);
        const auto arrived = ObjectFactory::global().createAs<Message>(id);
        try {
            in >> *arrived;
            in.expectEnd();
        } catch (const SerializationError&) {}
    }
}

TEST_CASE("Plain task: a job with the journal of an earlier one has the saved values, and no slave has their tasks") {
    runJob(definePlainTasks, [](Master& outer) {
        const TemporaryFolder folder;
        const detail::JournalSettings settings = journalSettings(folder / "journal");
        for (const bool isResumed : {false, true}) {
            detail::Journal journal(settings);
            Master master(outer.connector(), detail::BesideJob{.journal = &journal, .groups = groupsOfThisJob()});
            CHECK(journal.leftCount() == (isResumed ? 54 : 0));
            std::vector<Square> tasks;
            for (int i = 0; i < 50; ++i) tasks.push_back({20 + i});
            long number = 20;
            for (const long square : master.map(tasks)) {
                CHECK(square == number * number);
                ++number;
            }
            auto side = master.submit(other::Square{1.5});
            auto nothing = master.submit(Nothing{1});
            auto half = master.submit(Half(9));
            auto words = master.submit(Words{{"b", "a"}});
            if (isResumed) {
                CHECK(side.hasArrived());
                CHECK(nothing.hasArrived());
                CHECK(journal.leftCount() == 0);
            }
            CHECK(side.get() == 2.25);
            nothing.get();
            CHECK(half.get() == 4.5);
            CHECK(words.get() == std::vector<std::string>{"a", "b"});
            master.waitForAll(Deadline::in(1min));
        }
    });
}
