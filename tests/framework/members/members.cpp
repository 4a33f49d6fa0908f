// A job in which slaves join and leave while it runs. Each reply is checked, and must come once.
//   members steps COUNT SEED     slaves join or leave COUNT times at random, with tasks before, during and after
//   members grow COUNT           COUNT slaves join; all slaves have to work
//   members loseJoined           a slave that has joined dies, and its tasks go to others
//   members refused              no slave can join; the job goes on without new slaves
//   members stuck WHAT           after slaves have left, joined or died, a handler waits for ever: that is a Deadlock
//   members stillborn            a process ends before it has joined the job
#include <ferry/ferry.hpp>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <thread>
#include <vector>

namespace {

constexpr int doomed = -1;
constexpr int toOthers = -2;
constexpr int endless = -3;
constexpr int largeCount = 100'000;

struct Answer : ferry::Message {
    FERRY_CLASS(Answer)
    FERRY_FIELDS(number, rank, sum)
    int number = 0;
    int rank = 0;
    long sum = 0;
};

struct Step : ferry::Message {
    FERRY_CLASS(Step)
    FERRY_FIELDS(number, microseconds)
    using Reply = Answer;
    Step() = default;
    Step(int theNumber, int theMicroseconds) : number(theNumber), microseconds(theMicroseconds) {}
    int number = 0;
    int microseconds = 0;
};

struct Table {
    std::vector<int> rows;
    FERRY_FIELDS(rows)
};

long sumOf(int version) { return static_cast<long>(version) * largeCount; }

void share(ferry::Master& master, int version) { xassert(master.share(Table{std::vector<int>(largeCount, version)}) == version); }

Answer work(const Step& step, ferry::Task& task) {
    xassert(task.state<int>() == task.connector().rank());
    if (step.number == toOthers) task.connector().send(1, 5, ferry::Tag(3));    // refused on a rank that has joined
    if (step.number == endless) static_cast<void>(task.connector().receive<int>(0));
    if (step.number == doomed) {
        if (task.connector().rank() > 2) ::raise(SIGKILL);
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    std::this_thread::sleep_for(std::chrono::microseconds(step.microseconds));
    Answer answer;
    answer.number = step.number;
    answer.rank = task.connector().rank();
    const Table& table = task.shared<Table>();
    for (const int row : table.rows) answer.sum += row;
    return answer;
}

/// Does `count` tasks. Returns the ranks that have done them.
std::set<int> doTasks(ferry::Master& master, int count, int microseconds, int version) {
    std::vector<Step> steps;
    for (int number = 0; number < count; ++number) steps.emplace_back(number, microseconds);
    std::set<int> ranks;
    int next = 0;
    for (const Answer& answer : master.map(steps)) {
        xassert(answer.number == next++);
        xassert(answer.sum == sumOf(version));
        ranks.insert(answer.rank);
    }
    xassert(next == count);
    return ranks;
}

int grow(ferry::Master& master, int count) {
    const int before = master.slaveCount();
    share(master, 1);
    std::vector<ferry::Future<Answer>> underWay;
    for (int number = 0; number < 20 * before; ++number) underWay.push_back(master.submit(Step(number, 2000)));
    master.addSlaves(count);
    xassert(master.slaveCount() == before + count);
    int number = 0;
    for (ferry::Future<Answer>& future : underWay) xassert(future.get().number == number++);
    const std::set<int> ranks = doTasks(master, 20 * (before + count), 5000, 1);
    xassert(static_cast<int>(ranks.size()) == before + count);
    share(master, 2);
    doTasks(master, 10 * (before + count), 100, 2);
    int refusedCount = 0;
    std::vector<ferry::Future<Answer>> toRankOne;
    for (int i = 0; i < 20 * (before + count); ++i) toRankOne.push_back(master.submit(Step(toOthers, 2000)));
    for (ferry::Future<Answer>& future : toRankOne) {
        try {
            xassert(future.get().rank <= before);
        } catch (const ferry::UsageError& refusal) {
            xassert(std::string(refusal.what()).starts_with("rank 1 is not reached from rank "));
            ++refusedCount;
        }
    }
    std::printf("%d slaves have worked\n", static_cast<int>(ranks.size()));
    return refusedCount > 0 || count == 0 ? 0 : 1;
}

int takeSteps(ferry::Master& master, int count, unsigned seed) {
    std::mt19937 random(seed);
    int version = 1;
    int joined = 0;
    int left = 0;
    share(master, version);
    for (int step = 0; step < count; ++step) {
        std::vector<ferry::Future<Answer>> underWay;
        const int taskCount = static_cast<int>(random() % 40);
        for (int number = 0; number < taskCount; ++number) underWay.push_back(master.submit(Step(number, 500)));
        if (random() % 2 == 0) {
            for (ferry::Future<Answer>& future : underWay) static_cast<void>(future.get());
            underWay.clear();
        }
        const int before = master.slaveCount();
        if (random() % 2 == 0 && before < 8) {
            const int more = 1 + static_cast<int>(random() % 2);
            master.addSlaves(more);
            joined += more;
            xassert(master.slaveCount() == before + more);
        } else {
            const int gone = master.dismissSlaves(before > 1 ? 1 + static_cast<int>(random() % static_cast<unsigned>(before - 1)) : 0);
            left += gone;
            xassert(master.slaveCount() == before - gone);
        }
        if (random() % 3 == 0) share(master, ++version);
        for (ferry::Future<Answer>& future : underWay) static_cast<void>(future.get());
        doTasks(master, static_cast<int>(random() % 100), 50, version);
    }
    std::printf("%d joined, %d left\n", joined, left);
    return 0;
}

int loseJoined(ferry::Master& master) {
    share(master, 1);
    doTasks(master, 20, 100, 1);
    master.addSlaves(2);
    const int before = master.slaveCount();
    while (master.slaveCount() > before - 2) {    // a slave that starts late may find that the others have done its task
        std::vector<ferry::Future<Answer>> doomedTasks;
        for (int i = 0; i < before; ++i) doomedTasks.push_back(master.submit(Step(doomed, 0), {.slavesAtMost = 100}));
        for (ferry::Future<Answer>& future : doomedTasks) xassert(future.get().rank <= 2);
    }
    xassert(master.slaveCount() == before - 2);
    master.addSlaves(1);
    const std::set<int> ranks = doTasks(master, 100, 1000, 1);
    xassert(ranks.contains(before + 1));
    std::printf("two were lost, one has come\n");
    return 0;
}

/// Lets slaves leave, join, or join and die, and then a handler wait for ever, twice.
int getStuck(ferry::Master& master, const std::string& what) {
    if (what == "lost") {
        loseJoined(master);
    } else {
        share(master, 1);
        doTasks(master, 20, 100, 1);
    }
    if (what == "left") xassert(master.dismissSlaves(1) == 1);
    if (what == "joined") master.addSlaves(2);
    for (int round = 0; round < 2; ++round) {
        try {
            static_cast<void>(master.submit(Step(endless, 0)).get());
            return 1;
        } catch (const ferry::Deadlock& deadlock) {
            const std::string text = deadlock.what();
            xassert(text.find("waits for the reply to task") != text.npos &&
                    text.find("waits for a value of type int from rank 0") != text.npos);
            xassert(what != "left" || text.find("waits for the end of the job, since it was dismissed") != text.npos ||
                    static_cast<int>(deadlock.ranks().size()) == master.slaveCount() + 1);
        }
        doTasks(master, 20, 100, 1);
    }
    std::printf("a deadlock was found\n");
    return 0;
}

int goOnWithout(ferry::Master& master) {
    share(master, 1);
    const int before = master.slaveCount();
    try {
        master.addSlaves(1);
        return 1;
    } catch (const ferry::SlavesCannotJoin& refusal) {
        std::printf("%s\n", refusal.what());
    }
    xassert(master.slaveCount() == before);
    doTasks(master, 100, 100, 1);
    std::printf("done\n");
    return 0;
}

/// Whether this process joined alone: then it is the only process of its own MPI world.
bool isAlone() {
    const char* size = std::getenv("OMPI_COMM_WORLD_SIZE");
    return size != nullptr && std::string(size) == "1";
}

}    // namespace

int main(int argc, char** argv) {
    if (argc > 1 && std::string(argv[1]) == "stillborn" && isAlone()) std::_Exit(3);
    ferry::Application app(argc, argv);
    app.slave().setUp([](ferry::Connector& connector) { return std::make_shared<int>(connector.rank()); });
    app.slave().on<Step>(work);
    const std::string what = argc > 1 ? argv[1] : "";
    const int number = argc > 2 ? std::atoi(argv[2]) : 1;
    return app.run([&](ferry::Master& master) {
        if (what == "grow") return grow(master, number);
        if (what == "steps") return takeSteps(master, number, argc > 3 ? static_cast<unsigned>(std::atoi(argv[3])) : 1);
        if (what == "loseJoined") return loseJoined(master);
        if (what == "stuck") return getStuck(master, argc > 2 ? argv[2] : "");
        if (what == "refused" || what == "stillborn") return goOnWithout(master);
        return 2;
    });
}
