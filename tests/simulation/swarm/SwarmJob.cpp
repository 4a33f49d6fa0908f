#include <ferry/tests/simulation/swarm/SwarmJob.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <new>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <ferry/connector/collective/shape/Operators.hpp>
#include <ferry/connector/exception/Cancelled.hpp>
#include <ferry/connector/exception/ExceptionList.hpp>
#include <ferry/connector/exception/LostRank.hpp>
#include <ferry/connector/exception/TimeoutError.hpp>
#include <ferry/framework/exception/LostResult.hpp>
#include <ferry/framework/exception/PoisonTask.hpp>
#include <ferry/framework/slave/KeptStore.hpp>
#include <ferry/tests/framework/TestTasks.hpp>

namespace ferry::test {

namespace swarmjob {

using Numbers = std::vector<int>;

/// The content of every kind of task of a swarm.
struct Order {
    int step = 0;
    int number = 0;
    int size = 0;
    int failures = 0;
    int shared = 0;    ///< the version of the shared object at the submission; 0: none
    FERRY_FIELDS(step, number, size, failures, shared)
};

struct Count {
    Order order;
    using Reply = Numbers;
};
struct Hold {
    Order order;
    using Reply = Numbers;
};
struct AddUp {
    Order order;
    std::vector<Ref<Numbers>> parts;
    using Reply = long;
};
struct Together {
    int step = 0;
    int instance = 0;
    using Reply = int;
};
struct CountKept {
    using Reply = int;
};

int firstOf(const Order& order) { return order.step * 1000 + order.number; }
int refusalOf(const Order& order) { return firstOf(order); }

Numbers numbersOf(const Order& order) {
    Numbers numbers(static_cast<std::size_t>(order.size));
    std::iota(numbers.begin(), numbers.end(), firstOf(order));
    return numbers;
}

long totalOf(const Numbers& numbers) { return std::accumulate(numbers.begin(), numbers.end(), 0L); }

struct KeptNumbers {
    Ref<Numbers> ref;
    Numbers expected;
    int first = 0;    ///< firstOf its order
};

}    // namespace swarmjob

using namespace swarmjob;

/// The master's part of one run.
class SwarmMaster {
public:
    SwarmMaster(SwarmJob& job, Master& master) : job_(job), master_(master) {}

    void run() {
        for (std::size_t i = 0; i < job_.swarm_.job.size(); ++i) act(job_.swarm_.job[i], static_cast<int>(i));
        await();
        kept_.clear();
        master_.waitForAll();
        expectNothingKept();
    }

private:
    /// The ways in which a task may end.
    struct Allowed {
        bool value = true;
        bool refusal = false;
        bool cancel = false;
        bool timeout = false;
    };

    void note(const std::string& problem) { job_.log_.note("master: " + problem); }
    bool areMortal() const { return job_.swarm_.areMortal(); }
    bool mayBreak() const { return job_.swarm_.mayBreak(); }

    Order orderOf(const SwarmTask& task, int step, int number) const {
        return {step, number, task.size, task.failures, static_cast<int>(job_.sharedSizes_.size())};
    }

    static TaskOptions optionsOf(const SwarmTask& task) {
        TaskOptions options;
        options.priority = task.priority;
        if (task.deadlineUs != 0) options.deadline = Deadline::in(std::chrono::microseconds(task.deadlineUs));
        if (task.retries != 0)
            options.retry = RetryOn<Refused>{.times = task.retries, .backOff = std::chrono::microseconds(task.backOffUs)};
        options.isRepeatable = task.isRepeatable;
        return options;
    }

    /// A task that is cancelled, or whose deadline has passed, is not tried again.
    Allowed allowedFor(const SwarmTask& task) const {
        const bool isRefused = task.failures > task.retries;
        return {.value = !isRefused || mayBreak(),
                .refusal = isRefused || (task.failures != 0 && (mayBreak() || task.isCancelled || task.deadlineUs != 0)),
                .cancel = task.isCancelled,
                .timeout = task.deadlineUs != 0};
    }

    static SwarmJob::Done doneOf(SwarmJob::TaskKey key, const std::vector<KeptNumbers>& parts) {
        SwarmJob::Done done{key.first, key.second};
        for (const KeptNumbers& part : parts) done.push_back(part.first);
        return done;
    }

    /// The number that the handlers of the task must count when nobody is lost. With a journal, a result that was kept in the run before is
    /// made again only when something needs it.
    void expectRuns(const SwarmTask& task, SwarmJob::TaskKey key, const std::vector<KeptNumbers>& parts = {}) {
        const int tries = 1 + std::min(task.failures, task.retries);
        const bool mayStop = task.isCancelled || task.deadlineUs != 0;
        if (job_.swarm_.hasJournal && job_.finishedBefore_.contains(doneOf(key, parts))) {
            job_.notAgain_.insert(key);
            job_.expectedRuns_[key] = {0, 0};
        } else {
            job_.expectedRuns_[key] = {mayStop || job_.swarm_.hasJournal ? 0 : tries, tries};
        }
    }

    /// Whether a kept result may be lost: with a slave, or with the run before if its task is not to be done again.
    bool mayLoseResults() const {
        const auto isOnce = [](const SwarmTask& task) { return task.kind == SwarmTask::Kind::Keep && !task.isRepeatable; };
        return mayBreak() || (job_.swarm_.hasJournal && std::any_of(job_.swarm_.job.begin(), job_.swarm_.job.end(), isOnce));
    }

    template <class T, class Check>
    bool settle(Future<T>& future, const Allowed& allowed, int refusal, const std::string& name, const Check& check) {
        try {
            check(future.get());
            if (!allowed.value) note(name + " has a reply though it must fail");
            return true;
        } catch (const Refused& refused) {
            if (!allowed.refusal || refused.number != refusal) note(fmt::format("{} fails with the refusal {}", name, refused.number));
        } catch (const Cancelled& error) {
            if (!allowed.cancel) note(fmt::format("{}: {}", name, error.what()));
        } catch (const TimeoutError& error) {
            if (!allowed.timeout) note(fmt::format("{}: {}", name, error.what()));
        } catch (const LostResult& error) {
            if (!mayLoseResults()) note(fmt::format("{}: {}", name, error.what()));
        } catch (const PoisonTask& error) {
            if (!areMortal()) note(fmt::format("{}: {}", name, error.what()));
        } catch (const std::bad_alloc&) {
            if (!job_.swarm_.isScarce()) throw;
        }
        return false;
    }

    void act(const SwarmTask& task, int step) {
        switch (task.kind) {
            case SwarmTask::Kind::Plain: return submitPlain(task, step);
            case SwarmTask::Kind::Team: return submitTeam(task, step);
            case SwarmTask::Kind::Keep: return submitKeep(task, step);
            case SwarmTask::Kind::Total: return submitTotals(task, step);
            case SwarmTask::Kind::Bring: return bring();
            case SwarmTask::Kind::Forget: return kept_.clear();
            case SwarmTask::Kind::Share: return share(task);
            case SwarmTask::Kind::Await: return await();
        }
    }

    void submitPlain(const SwarmTask& task, int step) {
        for (int i = 0; i < task.count; ++i) {
            const Order order = orderOf(task, step, i);
            const SwarmJob::TaskKey key(step, i);
            expectRuns(task, key);
            auto future = std::make_shared<Future<Numbers>>(master_.submit(Count{order}, optionsOf(task)));
            if (task.isContinued) {
                Order further = order;
                further.number += 500;
                further.failures = 0;
                const SwarmJob::TaskKey furtherKey(step, further.number);
                job_.expectedRuns_[furtherKey] = {0, 1};
                *future = future->then([this, order, further](const Numbers& numbers) {
                    if (numbers != numbersOf(order)) note("the reply before a further task is wrong");
                    return master_.submit(Count{further});
                });
                enqueue(future, task, further, key);
            } else {
                enqueue(future, task, order, key);
            }
        }
    }

    /// order: of the task whose reply the future has.
    void enqueue(const std::shared_ptr<Future<Numbers>>& future, const SwarmTask& task, const Order& order, SwarmJob::TaskKey key) {
        if (task.isCancelled) future->cancel();
        if (task.isDropped) return;
        awaited_.push_back([this, future, &task, order, key] {
            const std::string name = fmt::format("task {} of step {}", key.second, key.first);
            const int refusal = key.first * 1000 + key.second;
            const bool isDone = settle(*future, allowedFor(task), refusal, name, [&](const Numbers& numbers) {
                if (numbers != numbersOf(order)) note(name + " has a wrong reply");
            });
            if (isDone) job_.finished_.insert(doneOf(key, {}));
        });
    }

    void submitTeam(const SwarmTask& task, int step) {
        const int size = std::min(task.ranks, master_.slaveCount());
        if (size < 1) return;
        const int instance = 1000 + step;
        auto future = std::make_shared<Future<int>>();
        try {
            *future = master_.submit(Together{step, instance}, ranks(size), optionsOf(task));
        } catch (const UsageError& error) {
            if (!areMortal()) note(error.what());
            return;    // a slave was lost between the two calls
        }
        if (task.isCancelled) future->cancel();
        awaited_.push_back([this, future, &task, step, size, instance] {
            const std::string name = fmt::format("the team of step {}", step);
            try {
                const Allowed allowed{.cancel = task.isCancelled, .timeout = task.deadlineUs != 0};
                const bool isDone = settle(*future, allowed, -1, name, [&](int ranks) {
                    if (ranks != size) note(fmt::format("{} has {} ranks instead of {}", name, ranks, size));
                });
                if (isDone) noteTeamTold(task.inside, instance, size, nullptr, job_.log_);
            } catch (const ExceptionList& list) {
                const bool isStopped = !list.of<Cancelled>().empty() || !list.of<TimeoutError>().empty();
                if (mayBreak() || (isStopped && (task.isCancelled || task.deadlineUs != 0))) return;
                noteTeamTold(task.inside, instance, size, &list, job_.log_);
            } catch (const LostRank& error) {
                if (!areMortal()) note(fmt::format("{}: {}", name, error.what()));
            }
        });
    }

    void submitKeep(const SwarmTask& task, int step) {
        std::vector<std::pair<Future<Ref<Numbers>>, Order>> made;
        for (int i = 0; i < task.count; ++i) {
            expectRuns(task, {step, i});
            const Order order = orderOf(task, step, i);
            made.emplace_back(master_.submit(Hold{order}, Keep{}, optionsOf(task)), order);
        }
        for (auto& [future, order] : made) {
            if (task.isCancelled) future.cancel();
            if (task.isDropped) continue;
            settle(future, allowedFor(task), refusalOf(order), fmt::format("the kept task {} of step {}", order.number, step),
                   [&, &order = order](Ref<Numbers> ref) {
                       kept_.push_back({std::move(ref), numbersOf(order), firstOf(order)});
                   });
        }
    }

    void submitTotals(const SwarmTask& task, int step) {
        std::vector<Ref<Numbers>> parts;
        long expected = 0;
        for (const KeptNumbers& each : kept_) {
            parts.push_back(each.ref);
            expected += totalOf(each.expected);
        }
        for (int i = 0; i < task.count; ++i) {
            const Order order = orderOf(task, step, i);
            expectRuns(task, {step, i}, kept_);
            auto future = std::make_shared<Future<long>>(master_.submit(AddUp{order, parts}, optionsOf(task)));
            if (task.isCancelled) future->cancel();
            if (task.isDropped) continue;
            awaited_.push_back([this, future, &task, order, expected, done = doneOf({step, i}, kept_)] {
                const std::string name = fmt::format("total {} of step {}", order.number, order.step);
                const bool isDone = settle(*future, allowedFor(task), refusalOf(order), name, [&](long total) {
                    if (total != expected) note(fmt::format("{} is {} instead of {}", name, total, expected));
                });
                if (isDone) job_.finished_.insert(done);
            });
        }
    }

    void bring() {
        for (KeptNumbers& each : kept_) {
            try {
                if (each.ref.get() != each.expected) note("a kept result is wrong");
            } catch (const LostResult& error) {
                if (!mayLoseResults()) note(error.what());
            }
        }
    }

    void share(const SwarmTask& task) {
        job_.sharedSizes_.push_back(static_cast<std::size_t>(task.size));
        const int version = master_.share(Table{Numbers(static_cast<std::size_t>(task.size), task.size)});
        if (version != static_cast<int>(job_.sharedSizes_.size())) note(fmt::format("a shared object has the version {}", version));
    }

    void await() {
        for (const std::function<void()>& settleOne : awaited_) settleOne();
        awaited_.clear();
    }

    void expectNothingKept() {
        int most = 1;
        for (int i = 0; i < 100 && most > 0; ++i) {    // with sub-masters, tasks overtake the master's word
            std::vector<Future<int>> counts;
            for (int slave = 0; slave < 2 * master_.slaveCount(); ++slave)
                counts.push_back(master_.submit(CountKept{}, {.slavesAtMost = 1000}));
            most = 0;
            for (Future<int>& count : counts) most = std::max(most, count.get());
        }
        if (most != 0) note(fmt::format("a slave keeps {} results that nobody holds", most));
    }

    SwarmJob& job_;
    Master& master_;
    std::vector<std::function<void()>> awaited_{};
    std::vector<KeptNumbers> kept_{};
};

void SwarmJob::define(Slave& slave) {
    const auto begin = [this](const Order& order, Task& task) {
        const int run = ++runs_[{order.step, order.number}];
        task.connector().poll();
        if (order.shared != 0) {
            const auto version = static_cast<std::size_t>(task.sharedVersion<Table>());
            const auto size = sharedSizes_.at(version - 1);
            if (version < static_cast<std::size_t>(order.shared) || task.shared<Table>().rows != Numbers(size, static_cast<int>(size)))
                log_.note("a shared object is older than its task, or wrong");
        }
        if (run <= order.failures) throw Refused(refusalOf(order));
    };
    slave.on<Count>([this, begin](const Count& count, Task& task) {
        begin(count.order, task);
        Numbers numbers = numbersOf(count.order);
        if (wrongFromSize_ >= 0 && count.order.size >= wrongFromSize_) numbers.push_back(0);
        return numbers;
    });
    slave.on<Hold>([begin](const Hold& hold, Task& task) {
        begin(hold.order, task);
        return numbersOf(hold.order);
    });
    slave.on<AddUp>([begin](const AddUp& add, Task& task) {
        long total = 0;
        for (const Ref<Numbers>& part : add.parts) total += totalOf(*part);
        begin(add.order, task);
        return total;
    });
    slave.on<Together>([this](const Together& together, Team& team) {
        runTeamTree(team.connector(), swarm_.job.at(static_cast<std::size_t>(together.step)).inside, together.instance, log_);
        return team.connector().allReduce(1, Sum{});
    });
    slave.on<CountKept>([](const CountKept&) { return static_cast<int>(detail::KeptStore::ofThisThread()->count()); });
}

void SwarmJob::conduct(Master& master) { SwarmMaster(*this, master).run(); }

void SwarmJob::checkRuns() {
    if (swarm_.mayBreak()) {
        for (const TaskKey& key : notAgain_) {
            if (runs_.contains(key)) log_.note(fmt::format("task {} of step {} is done again", key.second, key.first));
        }
        return;
    }
    for (const auto& [key, count] : runs_) {
        const auto expected = expectedRuns_.find(key);
        if (expected == expectedRuns_.end()) {
            log_.note(fmt::format("task {} of step {} is run, which nobody has submitted", key.second, key.first));
        } else if (count > expected->second.second) {
            log_.note(fmt::format("task {} of step {} is run {} times", key.second, key.first, count));
        }
    }
    for (const auto& [key, expected] : expectedRuns_) {
        if (expected.first > 0 && (!runs_.contains(key) || runs_.at(key) < expected.first))
            log_.note(fmt::format("task {} of step {} is run too few times", key.second, key.first));
    }
}

}    // namespace ferry::test
