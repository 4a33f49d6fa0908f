// Masses pull at each other. The class of the masses is from another library.
// The workers get the members that the forces depend on, and return the forces. bodies.toml says which members these are.
#include <bodies.views.hpp>

#include <cmath>
#include <cstddef>
#include <cstdio>
#include <vector>

#include <ferry/ferry.hpp>

namespace {

constexpr int Steps = 20;
constexpr std::size_t MassesPerRank = 8;

std::vector<sky::Mass> makeMasses(std::size_t count) {
    std::vector<sky::Mass> masses;
    for (std::size_t i = 0; i < count; ++i) {
        const double angle = 6.283185307 * static_cast<double>(i) / static_cast<double>(count);
        masses.emplace_back(1 + static_cast<double>(i % 3), 10 * std::cos(angle), 10 * std::sin(angle));
    }
    return masses;
}

/// Stores all masses in each mass. (The list includes the mass itself. A mass pulls at itself with a force of zero.)
void tellSurrounding(std::vector<sky::Mass>& masses) {
    for (sky::Mass& mass : masses) mass.setSurrounding({});
    const std::vector<sky::Mass> all = masses;
    for (sky::Mass& mass : masses) mass.setSurrounding(all);
}

void moveAll(std::vector<sky::Mass>& masses) {
    for (sky::Mass& mass : masses) mass.move(0.01);
}

void runMaster(ferry::Connector& connector) {
    const auto workers = static_cast<std::size_t>(connector.size() - 1);
    std::vector<sky::Mass> masses = makeMasses(workers * MassesPerRank), alone = masses;
    for (int step = 0; step < Steps; ++step) {
        tellSurrounding(masses);
        std::vector<std::vector<sky::Mass>> shares(workers);
        for (std::size_t worker = 0; worker < workers; ++worker) {
            const auto first = masses.begin() + static_cast<std::ptrdiff_t>(worker * MassesPerRank);
            shares[worker].assign(first, first + MassesPerRank);
            connector.send(static_cast<int>(worker) + 1, ferry::part<bodies::MasterToWorker>(shares[worker]));
        }
        masses.clear();
        for (std::size_t worker = 0; worker < workers; ++worker) {
            connector.receiveInto(static_cast<int>(worker) + 1, ferry::part<bodies::WorkerToMaster>(shares[worker]));
            masses.insert(masses.end(), shares[worker].begin(), shares[worker].end());    // the shares hold the speeds
        }
        moveAll(masses);

        tellSurrounding(alone);
        for (sky::Mass& mass : alone) mass.computeForce();
        moveAll(alone);
    }
    std::size_t different = 0;
    for (std::size_t i = 0; i < masses.size(); ++i) different += masses[i].x() != alone[i].x() || masses[i].y() != alone[i].y() ? 1 : 0;
    std::printf("%zu masses, %d steps, %zu are elsewhere than on one rank\n", masses.size(), Steps, different);
}

void runWorker(ferry::Connector& connector) {
    std::vector<sky::Mass> masses;
    for (int step = 0; step < Steps; ++step) {
        connector.receiveInto(0, ferry::part<bodies::MasterToWorker>(masses));
        for (sky::Mass& mass : masses) mass.computeForce();
        connector.send(0, ferry::part<bodies::WorkerToMaster>(masses));
    }
}

}    // namespace

int main(int argc, char** argv) {
    ferry::Application app(argc, argv);
    return app.runOnAll([](ferry::Connector& connector) { connector.isMaster() ? runMaster(connector) : runWorker(connector); });
}
