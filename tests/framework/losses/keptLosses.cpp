// Slaves die that keep results. Tasks and the master still get the results, made again, or hear that they are lost.
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <exception>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

#include <ferry/ferry.hpp>

namespace {

using Numbers = std::vector<double>;

struct Make {
    int seed = 0;
    using Reply = Numbers;
};
struct Double {
    ferry::Ref<Numbers> numbers;
    using Reply = Numbers;
};
struct Total {
    std::vector<ferry::Ref<Numbers>> parts;
    using Reply = double;
};
/// The task of a team: each of its slaves adds its own number to the parts.
struct Gather {
    std::vector<ferry::Ref<Numbers>> parts;
    using Reply = Numbers;
};
/// Goes to the slave that has the numbers, and kills it.
struct Kill {
    ferry::Ref<Numbers> numbers;
    using Reply = ferry::Done;
};

/// Kills the slave that has the numbers while it lets other slaves wait for them.
struct KillLater {
    ferry::Ref<Numbers> numbers;
    using Reply = ferry::Done;
};

Numbers doubled(const Double& task) {
    Numbers numbers = *task.numbers;
    for (double& number : numbers) number *= 2;
    return numbers;
}

double total(const Total& task) {
    double sum = 0;
    for (const auto& part : task.parts) sum = std::accumulate(part->begin(), part->end(), sum);
    return sum;
}

Numbers gather(const Gather& task, ferry::Team& team) {
    double sum = team.connector().rank();
    for (const auto& part : task.parts) sum += part->front();
    return {team.connector().allReduce(sum, ferry::Sum{})};
}

void kill(ferry::Master& master, const ferry::Ref<Numbers>& numbers) {
    try {
        master.submit(Kill{numbers}, {.slavesAtMost = 1}).get();
    } catch (const ferry::PoisonTask&) {}
}

/// The results of two teams, the second of which reads that of the first. Both are lost, and made again by teams.
void loseResultsOfTeams(ferry::Master& master) {
    const auto one = master.submit(Make{1}, ferry::Keep{}).get();
    const auto first = master.submit(Gather{{one}}, ferry::ranks(2), ferry::Keep{}).get();
    const auto second = master.submit(Gather{{first, one}}, ferry::ranks(2), ferry::Keep{}).get();
    kill(master, first);
    if (master.slaveCount() < 2) return;
    const double sum = master.submit(Total{{first, second}}).get();
    std::printf("results of teams: %.0f and %.0f after a death\n", sum, second.get().front());
}

/// The slave of a result dies while a team gathers whose slaves wait for the result.
void loseWhileTeamGathers(ferry::Master& master) {
    const auto one = master.submit(Make{1}, ferry::Keep{}).get();
    auto killing = master.submit(KillLater{one}, {.slavesAtMost = 1});
    auto sum = master.submit(Gather{{one}}, ferry::ranks(master.slaveCount() - 1));
    try {
        killing.get();
    } catch (const ferry::PoisonTask&) {}
    std::printf("a team that has gathered anew: %.0f\n", sum.get().front());
}

void program(ferry::Master& master) {
    std::vector<ferry::Ref<Numbers>> results;
    for (int seed = 0; seed < 8; ++seed) {
        auto made = master.submit(Make{seed}, ferry::Keep{}).get();
        results.push_back(master.submit(Double{made}, ferry::Keep{}).get());    // the first result goes at once
    }
    const double before = master.submit(Total{results}).get();
    kill(master, results.front());
    const double between = master.submit(Total{results}).get();
    kill(master, results.back());
    double brought = 0;
    for (const auto& result : results) brought += result.get().back();
    std::string end = "not lost";
    const auto once = master.submit(Make{1}, ferry::Keep{}, {.isRepeatable = false}).get();
    kill(master, once);
    try {
        static_cast<void>(master.submit(Total{{once}}).get());
    } catch (const ferry::LostResult& lost) {
        const bool isNamed = ferry::report(std::make_exception_ptr(lost)).find("ferry::LostRank") != std::string::npos;
        end = isNamed ? "lost with its slave" : "lost for another reason";
    }
    std::printf("%.0f, %.0f after a death, %.0f after two, then %s\n", before, between, brought * 100'000, end.c_str());
    loseResultsOfTeams(master);
    loseWhileTeamGathers(master);
}

}    // namespace

int main(int argc, char** argv) {
    ferry::Application app(argc, argv);
    app.slave().on<Make>([](const Make& task) { return Numbers(100'000, task.seed); });
    app.slave().on<Gather>(gather);
    app.slave().on<Double>(doubled).on<Total>(total).on<Kill>([](const Kill&) { static_cast<void>(std::raise(SIGKILL)); });
    app.slave().on<KillLater>([](const KillLater&) {
        std::this_thread::sleep_for(std::chrono::milliseconds(300));
        static_cast<void>(std::raise(SIGKILL));
    });
    return app.run(program);
}
