// Sorts numbers on all ranks. Timers and counters tell what took how long, and how evenly the work was spread. Rank 0 prints the table, and
// writes the same figures to timers.json when a file is named: timers [file].
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include <ferry/connector.hpp>
#include <ferry/jobs.hpp>

namespace {

std::vector<std::uint32_t> numbersOf(const ferry::Connector& connector) {
    std::vector<std::uint32_t> numbers(20'000 * (static_cast<std::size_t>(connector.rank()) + 1));    // the ranks have different work
    std::uint32_t number = 12345u + static_cast<std::uint32_t>(connector.rank());
    for (std::uint32_t& each : numbers) each = number = 1664525u * number + 1013904223u;
    return numbers;
}

void run(ferry::Connector& connector, const std::string& path) {
    ferry::Timers& timers = connector.timers();
    {
        const auto whole = timers.time("whole");
        std::vector<std::uint32_t> numbers;
        {
            const auto making = timers.time("make");
            numbers = numbersOf(connector);
            timers.count("numbers", static_cast<std::int64_t>(numbers.size()));
        }
        for (int round = 0; round < 3; ++round) {
            const auto sorting = timers.time("sort");
            numbers = connector.sort(std::move(numbers));
        }
        if (connector.rank() == 0) const auto report = timers.time("report");    // the other ranks have no such timer
    }
    const ferry::Measurements all = connector.measurements();
    if (connector.rank() != 0) return;
    std::fputs(all.text().c_str(), stdout);
    if (!path.empty()) ferry::TextOutput(path).write(all.json());
}

}    // namespace

int main(int argc, char** argv) {
    ferry::Application app(argc, argv);
    const std::string path = argc > 1 ? argv[1] : "";
    return app.runOnAll([&path](ferry::Connector& connector) { run(connector, path); });
}
