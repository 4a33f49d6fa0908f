// The shortest round trip through some cities, by branch and bound. A task searches below one start of a trip. A short start is divided:
// its handler submits a task for each start that is one city longer, and the most promising tasks go first. The master shares each trip
// that is better than all before, so that slaves skip whatever cannot become shorter.
//     branchAndBound [cities] [seed]
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <utility>

#include <ferry/examples/branchAndBound/Trip.hpp>
#include <ferry/ferry.hpp>

namespace {

constexpr std::size_t dividedBelow = 4;     // starts with fewer cities are divided
constexpr int greatestByBruteForce = 10;    // more cities take too long

/// The length of the best trip that the master knows.
struct Best {
    int length = std::numeric_limits<int>::max();
};

/// Searches for a better trip with this start. The reply has no cities when there is none.
struct Search {
    trip::Trip start;
    using Reply = trip::Trip;
};

/// The starts with the lowest bounds go first: they make the best trip short soon.
int priorityOf(const trip::Trip& start, const trip::Distances& distances) { return -trip::lowerBound(start, distances); }

trip::Trip search(const Search& task, ferry::Task& here) {
    const auto& distances = here.shared<trip::Distances>();
    const int best = here.shared<Best>().length;    // as the master knew it when it sent the task, or later
    if (trip::lowerBound(task.start, distances) >= best) return {{}, 0};
    if (task.start.cities.size() >= dividedBelow) return trip::searchBelow(task.start, distances, best);
    for (const int city : trip::nextCities(task.start, distances)) {
        const trip::Trip next = trip::longer(task.start, city, distances);
        here.submit(Search{next}, priorityOf(next, distances));
    }
    return {{}, 0};
}

/// Finds the shortest trip. Counts the tasks that this takes.
trip::Trip findShortest(ferry::Master& master, const trip::Distances& distances, int& taskCount) {
    trip::Trip best{{}, std::numeric_limits<int>::max()};
    const auto note = [&](trip::Trip found) {
        ++taskCount;
        if (found.cities.empty() || found.length >= best.length) return;
        best = std::move(found);
        master.share(Best{best.length});    // each slave has it before its next task
    };
    master.onSubmitted<Search>([&note](ferry::Future<trip::Trip> future) { static_cast<void>(future.then(note)); });
    master.share(distances);
    master.share(Best{});
    static_cast<void>(master.submit(Search{}).then(note));
    master.waitForAll();
    return best;
}

}    // namespace

int main(int argc, char** argv) {
    ferry::Application app(argc, argv, ferry::ThreadRanks{4});
    const int cityCount = argc > 1 ? std::atoi(argv[1]) : 10;
    const unsigned seed = argc > 2 ? static_cast<unsigned>(std::atoi(argv[2])) : 1;
    app.slave().on<Search>(search);
    return app.run([=](ferry::Master& master) {
        const trip::Distances distances = trip::randomCities(cityCount, seed);
        int taskCount = 0;
        const trip::Trip best = findShortest(master, distances, taskCount);
        std::printf("%zu cities, shortest trip %d, %d tasks\n", best.cities.size(), best.length, taskCount);
        if (cityCount > greatestByBruteForce) return 0;
        const int expected = trip::shortestByBruteForce(distances);
        std::printf("brute force finds %d\n", expected);
        return best.length == expected ? 0 : 1;
    });
}
