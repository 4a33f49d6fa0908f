// Networks learn the exclusive or by mutation and selection: the master breeds, the slaves evaluate.
// The classes of the networks are from another library, and genes share nodes. population.toml says which members travel.
#include <population.views.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <random>
#include <utility>
#include <vector>

#include <ferry/ferry.hpp>

namespace {

class Fitnesses : public ferry::Message {
public:
    FERRY_CLASS(Fitnesses)
    FERRY_FIELDS(values)
    std::vector<double> values;
};

class Evaluate : public ferry::Message {
public:
    FERRY_CLASS(Evaluate)
    FERRY_FIELDS(networks)
    using Reply = Fitnesses;
    std::vector<growing::Network> networks;
};

double fitnessOf(const growing::Network& network) {
    double error = 0;
    for (int i = 0; i < 4; ++i) {
        const int a = i % 2, b = i / 2;
        const double wanted = a != b ? 1 : 0;
        const double difference = network.evaluate({double(a), double(b)}) - wanted;
        error += difference * difference;
    }
    return -error;
}

constexpr std::size_t Networks = 64, NetworksPerTask = 8;
constexpr int Generations = 100;

std::vector<growing::Network> evaluated(ferry::Master& master, std::vector<growing::Network> networks) {
    std::vector<ferry::Future<Fitnesses>> replies;
    for (std::size_t first = 0; first < networks.size(); first += NetworksPerTask) {
        Evaluate task;
        const auto begin = networks.begin() + static_cast<std::ptrdiff_t>(first);
        task.networks.assign(begin, begin + NetworksPerTask);
        replies.push_back(master.submit(task));
    }
    for (std::size_t i = 0; i < networks.size(); ++i) {
        if (i % NetworksPerTask != 0) continue;
        const Fitnesses fitnesses = replies[i / NetworksPerTask].get();
        for (std::size_t j = 0; j < NetworksPerTask; ++j) networks[i + j].setFitness(fitnesses.values[j]);
    }
    return networks;
}

}    // namespace

int main(int argc, char** argv) {
    ferry::Application app(argc, argv);
    app.slave().on<Evaluate>([](const Evaluate& task) {
        Fitnesses reply;
        for (const growing::Network& network : task.networks) reply.values.push_back(fitnessOf(network));
        return reply;
    });
    return app.run([](ferry::Master& master) {
        std::mt19937 random(1);
        std::vector<growing::Network> networks;
        for (std::size_t i = 0; i < Networks; ++i) networks.emplace_back(2, 2, random);
        std::size_t wrong = 0;
        for (int generation = 0; generation < Generations; ++generation) {
            networks = evaluated(master, std::move(networks));
            for (const growing::Network& network : networks) wrong += network.fitness() != fitnessOf(network) ? 1 : 0;
            std::stable_sort(networks.begin(), networks.end(), [](const auto& a, const auto& b) { return a.fitness() > b.fitness(); });
            for (std::size_t i = Networks / 4; i < Networks; ++i) {
                networks[i] = networks[i % (Networks / 4)];
                networks[i].mutate(random);
            }
        }
        std::printf("%d generations, %zu wrong fitnesses, best error %.6f with %zu nodes\n", Generations, wrong, -networks[0].fitness(),
                    networks[0].nodeCount());
    });
}
