#include <ferry/benchmarks/views/Samples.hpp>

#include <random>
#include <string>

#include <ferry/examples/results/Search.hpp>

namespace bench {

namespace {

std::string randomLetters(std::size_t count, std::mt19937& random) {
    std::string letters;
    while (letters.size() < count) letters.push_back("ACGT"[random() % 4]);
    return letters;
}

}    // namespace

std::vector<space::Mass> makeMasses(std::size_t count) {
    std::vector<space::Mass> masses;
    for (std::size_t i = 0; i < count; ++i) {
        const auto number = static_cast<float>(i);
        masses.emplace_back(1 + number, 2 * number, -number);
    }
    return masses;
}

space::Mass makeCrowdedMass(std::size_t count) {
    space::Mass mass(1, 2, 3);
    mass.setSurrounding(makeMasses(count));
    return mass;
}

std::vector<growing::Network> makePopulation() {
    std::mt19937 random(1);
    std::vector<growing::Network> networks;
    for (int i = 0; i < 64; ++i) networks.emplace_back(4, 8, random);
    return networks;
}

homology::Results makeResults() {
    std::mt19937 random(1);
    static const homology::Database database = [&random] {
        homology::Database made;
        for (int i = 0; i < 100; ++i) made.emplace_back("sequence " + std::to_string(i), randomLetters(240, random));
        return made;
    }();
    return homology::Search::run({"query", randomLetters(60, random)}, database, 0, database.size(), 30);
}

}    // namespace bench
