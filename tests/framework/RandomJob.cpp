#include <ferry/tests/framework/RandomJob.hpp>

#include <numeric>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/connector/exception/Cancelled.hpp>
#include <ferry/connector/transport/simulation/SeededRandom.hpp>
#include <ferry/jobs.hpp>

namespace ferry::test {

namespace randomjob {

using Numbers = std::vector<double>;

struct Node {
    int value = 0;
    Node* next = nullptr;
    FERRY_FIELDS(value, next)
};

/// The ways in which a handler and the master talk.
enum Way : int {
    TaggedNumber,
    GraphToMaster,
    ArrayToMaster,
    NumberToHandler,
    BothAtOnce,
    PostedArray,
    ExpectedByHandler,
    HandlerThrows,
    TwoExpected,
    HandlerPolls,
    GraphToHandler,
    MasterRaises,
    OneOfTwoTypes,
    wayCount
};

struct Talk {
    int way = TaggedNumber;
    int number = 0;
    std::size_t largeCount = 0;
    using Reply = int;
};

/// The handler's part of a talk.
int answer(const Talk& talk, Task& about) {
    Connector& connector = about.connector();
    switch (talk.way) {
        case TaggedNumber: connector.send(0, talk.number, Tag(7)); return talk.number;
        case GraphToMaster: {
            Node last{2};
            Node first{talk.number, &last};
            connector.send(0, graph(&first));
            return 2;
        }
        case ArrayToMaster: connector.send(0, Numbers(talk.largeCount, talk.number)); return 3;
        case NumberToHandler: return connector.receive<int>(0) + 1;
        case BothAtOnce: return connector.sendReceive(0, talk.number, 0);
        case PostedArray: connector.post(0, Numbers(talk.largeCount, talk.number)).get(); return 5;
        case ExpectedByHandler: return 2 * connector.expect<int>(0).get();
        case HandlerThrows: throw std::out_of_range("talk " + std::to_string(talk.number));
        case TwoExpected: {
            auto number = connector.expect<int>(0);
            auto text = connector.expect<std::string>(0);
            const auto [value, word] = waitAll(number, text);
            return value + static_cast<int>(word.size());
        }
        case HandlerPolls:
            while (!connector.tryReceive<int>(0)) {}
            return 9;
        case GraphToHandler: return connector.receiveGraph<Node>(0).root()->next->value;
        case MasterRaises: try { return connector.receive<int>(0);
            } catch (const std::range_error&) {
                connector.send(0, std::string("told"));
                return 11;
            }
        case OneOfTwoTypes: return std::holds_alternative<int>(connector.receiveAny<int, std::string>({.from = 0}).value) ? 1 : 2;
        default: return -1;
    }
}

/// Hears an array of the handler, in one of three ways.
Numbers hearArray(Connector& connector, int number) {
    if (number % 3 == 0) return connector.receive<Numbers>();
    Numbers numbers;
    if (number % 3 == 1) {
        connector.receiveInto(AnyRank, numbers);
        return numbers;
    }
    for (;;) {
        if (std::optional<Numbers> arrived = connector.tryReceive<Numbers>()) return std::move(*arrived);
    }
}

int hearTagged(Connector& connector, int number) {
    if (number % 3 == 0) return connector.expect<int>(AnyRank, Tag(7)).get();
    if (number % 3 == 1) return connector.receive<int>(AnyRank, Tag(7));
    return connector.receive<int>(connector.probe().from, Tag(7));
}

/// The master's part of a talk. Returns the reply that the handler must give.
int hear(Connector& connector, Future<int>& reply, const Talk& talk) {
    const int number = talk.number;
    switch (talk.way) {
        case TaggedNumber: CHECK(hearTagged(connector, number) == number); return number;
        case GraphToMaster:
            CHECK((number % 2 == 0 ? connector.expectGraph<Node>().get() : connector.receiveGraph<Node>()).root()->value == number);
            return 2;
        case ArrayToMaster: CHECK(hearArray(connector, number) == Numbers(talk.largeCount, number)); return 3;
        case NumberToHandler: connector.send(reply.rank(), number); return number + 1;
        case BothAtOnce: CHECK(connector.sendReceive(reply.rank(), 5, reply.rank()) == number); return 5;
        case PostedArray: CHECK(hearArray(connector, number) == Numbers(talk.largeCount, number)); return 5;
        case ExpectedByHandler: connector.send(reply.rank(), number); return 2 * number;
        case TwoExpected:
            connector.send(reply.rank(), std::string("abc"));
            connector.send(reply.rank(), number);
            return number + 3;
        case HandlerPolls: connector.send(reply.rank(), 1); return 9;
        case GraphToHandler: {
            Node last{number};
            Node first{1, &last};
            connector.post(reply.rank(), graph(&first)).get();
            return number;
        }
        case MasterRaises:
            static_cast<void>(reply.rank());    // the handler has begun
            reply.raise(std::range_error("no"));
            CHECK(connector.receive<std::string>() == "told");
            return 11;
        case OneOfTwoTypes:
            if (number % 2 != 0)
                connector.send(reply.rank(), number);
            else
                connector.send(reply.rank(), std::string("x"));
            return number % 2 != 0 ? 1 : 2;
        default: return -1;
    }
}

struct Make {
    int number = 0;
    std::size_t count = 0;
    bool fails = false;
    using Reply = Numbers;
};
struct Add {
    std::vector<Ref<Numbers>> parts;
    bool fails = false;
    using Reply = double;
};
struct Double {
    Ref<Numbers> from;
    using Reply = Numbers;
};
struct Solve {
    enum Manner : int { Alone, InHalves, InCircle, WithInnerFailure };
    int manner = Alone;
    int failingRank = -1;
    std::size_t count = 0;
    using Reply = double;
};

double sumOf(const Numbers& numbers) { return std::accumulate(numbers.begin(), numbers.end(), 0.0); }

double solve(const Solve& task, Team& team) {
    Connector& connector = team.connector();
    if (task.manner == Solve::InHalves) connector.split(connector.rank() % 2)->barrier();
    if (connector.rank() == task.failingRank) throw std::runtime_error("singular");
    if (task.manner == Solve::InCircle) {
        const int size = connector.size();
        connector.send((connector.rank() + 1) % size, Numbers(task.count, connector.rank()));
        const int before = (connector.rank() + size - 1) % size;
        if (connector.receive<Numbers>(before) != Numbers(task.count, before)) return -1;
    }
    if (task.manner == Solve::WithInnerFailure) {
        connector.guarded([&connector] {
            if (connector.rank() == 0) throw std::out_of_range("inner");
            connector.barrier();
        });
    }
    return connector.allReduce(1.0 * connector.rank(), Sum());
}

/// The master of a job with kept results and teams, and all that the master expects.
class MixedJob {
public:
    MixedJob(Master& master, const RandomJob& job) : master_(master), job_(job), random_(job.seed) {}

    void run() {
        for (int step = 0; step < job_.steps; ++step) {
            this->step(step);
            if (sums_.size() > 20) checkSums();
        }
        checkSums();
    }

private:
    template <class T>
    struct Expected {
        T value;
        double sum;
    };

    std::size_t below(std::size_t count) { return static_cast<std::size_t>(random_.below(count)); }
    Expected<Ref<Numbers>>& anyResult() { return results_[below(results_.size())]; }

    void step(int number) {
        const std::size_t kind = below(9);
        if (results_.empty() || kind == 0) return keep(number);
        switch (kind) {
            case 1: return failToKeep(number);
            case 2: return submitSum();
            case 3: return keepDouble();
            case 4:
                if (results_.size() > 3) results_.erase(results_.begin() + static_cast<std::ptrdiff_t>(below(results_.size())));
                return;
            case 5: {
                const Expected<Ref<Numbers>>& result = anyResult();
                CHECK(sumOf(result.value.get()) == result.sum);
                return;
            }
            case 6: return submitTeam();
            case 7: return failInTeam();
            default: return failAtReading();
        }
    }

    void keep(int number) {
        const std::size_t count = below(4) == 0 ? job_.largeCount : below(100);
        results_.push_back({master_.submit(Make{number, count}, Keep()).get(), static_cast<double>(count) * number});
    }
    void failToKeep(int number) {
        const std::string text = "make " + std::to_string(number);
        CHECK_THROWS_WITH_AS(master_.submit(Make{number, 1, true}, Keep()).get(), text.c_str(), std::domain_error);
    }
    void submitSum() {
        Add task;
        double sum = 0;
        for (int part = 0; part < 3; ++part) {
            const Expected<Ref<Numbers>>& result = anyResult();
            task.parts.push_back(result.value);
            sum += result.sum;
        }
        sums_.push_back({master_.submit(task), sum});
    }
    void keepDouble() {
        const Expected<Ref<Numbers>>& result = anyResult();
        const double sum = 2 * result.sum;
        results_.push_back({master_.submit(Double{result.value}, Keep()).get(), sum});
    }
    void submitTeam() {
        const int size = 1 + static_cast<int>(below(static_cast<std::size_t>(master_.slaveCount())));
        const Solve task{static_cast<int>(below(3)), -1, below(job_.largeCount)};
        sums_.push_back({master_.submit(task, ranks(size)), size * (size - 1) / 2.0});
    }
    void failInTeam() {
        const int size = 1 + static_cast<int>(below(static_cast<std::size_t>(master_.slaveCount())));
        const bool isInner = below(2) == 0;
        const Solve task = isInner ? Solve{Solve::WithInnerFailure}
                                   : Solve{static_cast<int>(below(3)), static_cast<int>(below(static_cast<std::size_t>(size))), 10};
        try {
            static_cast<void>(master_.submit(task, ranks(size)).get());
            FAIL_CHECK("the team has not failed");
        } catch (const ExceptionList& failures) {
            REQUIRE(failures.size() == 1);
            CHECK(failures.front().ranks().front() == (isInner ? 0 : task.failingRank));
        }
    }
    void failAtReading() {
        Future<double> future = master_.submit(Add{{anyResult().value}, true});
        if (below(2) == 0) future.cancel();
        try {
            static_cast<void>(future.get());
            FAIL_CHECK("the task has not failed");
        } catch (const std::range_error&) {
        } catch (const Cancelled&) {}
    }
    void checkSums() {
        for (Expected<Future<double>>& one : sums_) CHECK(one.value.get() == one.sum);
        sums_.clear();
    }

    Master& master_;
    const RandomJob& job_;
    SeededRandom random_;
    std::vector<Expected<Ref<Numbers>>> results_;
    std::vector<Expected<Future<double>>> sums_;
};

}    // namespace randomjob

using namespace randomjob;

void RandomJob::define(Slave& slave) {
    slave.on<Talk>(answer);
    slave.on<Make>([](const Make& task) {
        if (task.fails) throw std::domain_error("make " + std::to_string(task.number));
        return Numbers(task.count, task.number);
    });
    slave.on<Add>([](const Add& task, Task& about) {
        double sum = 0;
        for (const Ref<Numbers>& part : task.parts) {
            sum += sumOf(*part);
            about.throwIfCancelled();
        }
        if (task.fails) throw std::range_error("add");
        return sum;
    });
    slave.on<Double>([](const Double& task) {
        Numbers numbers = *task.from;
        for (double& number : numbers) number *= 2;
        return numbers;
    });
    slave.on<Solve>(solve);
}

void RandomJob::talk(Master& master) const {
    Connector& connector = master.connector();
    SeededRandom random(seed);
    for (int step = 0; step < steps; ++step) {
        const Talk talk{static_cast<int>(random.below(wayCount)), step, largeCount};
        CAPTURE(talk.way);
        Future<int> reply = master.submit(talk);
        if (talk.way == HandlerThrows) {
            CHECK_THROWS_WITH_AS(reply.get(), ("talk " + std::to_string(step)).c_str(), std::out_of_range);
        } else {
            const int expected = hear(connector, reply, talk);
            CHECK(reply.get() == expected);
        }
    }
}

void RandomJob::mix(Master& master) const { MixedJob(master, *this).run(); }

}    // namespace ferry::test
