#include <ferry/benchmarks/support/Suite.hpp>

#include <algorithm>
#include <stdexcept>

namespace bench {

namespace {

constexpr double roundNs = 4e6;
constexpr std::size_t maxTimesPerRound = 10'000'000;

}    // namespace

void Contender::calibrate() {
    run(1);    // the first run allocates memory that is reused afterwards
    for (timesPerRound_ = 1; timesPerRound_ < maxTimesPerRound;) {
        const double tookNs = std::max(batch_(timesPerRound_), 1.0);
        if (tookNs >= roundNs) return;
        const double factor = std::clamp(1.2 * roundNs / tookNs, 2.0, 100.0);
        timesPerRound_ = std::min(static_cast<std::size_t>(static_cast<double>(timesPerRound_) * factor), maxTimesPerRound);
    }
}

void Contender::measureRound() { roundsNs_.push_back(batch_(timesPerRound_) / static_cast<double>(timesPerRound_)); }

const Contender* Case::find(const std::string& contender) const {
    const auto found = std::find_if(contenders.begin(), contenders.end(), [&](const Contender& c) { return c.name() == contender; });
    return found == contenders.end() ? nullptr : &*found;
}

std::optional<double> Case::goalFor(const std::string& column) const {
    const auto found = std::find_if(goals.begin(), goals.end(), [&](const Goal& goal) { return goal.column == column; });
    return found == goals.end() ? std::nullopt : std::optional<double>(found->ratio);
}

void Suite::declare(std::string caseName, std::string limitName, std::vector<Goal> goals) {
    cases_.push_back({std::move(caseName), std::move(limitName), std::move(goals), {}});
}

void Suite::addBatch(const std::string& caseName, const std::string& contender, Contender::Batch batch) {
    const auto found = std::find_if(cases_.begin(), cases_.end(), [&](const Case& one) { return one.name == caseName; });
    if (found == cases_.end()) throw std::logic_error("no case is called " + caseName);
    found->contenders.emplace_back(contender, std::move(batch));
}

void Suite::filter(const std::string& text) {
    std::erase_if(cases_, [&](const Case& one) { return one.name.find(text) == std::string::npos; });
}

void Suite::measure(Case& one, int rounds) {
    for (Contender& contender : one.contenders) contender.calibrate();
    for (int round = 0; round < rounds; ++round) {
        // A different contender starts each round, so that the caches are not always in the state that the same predecessor leaves.
        std::rotate(one.contenders.begin(), one.contenders.begin() + 1, one.contenders.end());
        for (Contender& contender : one.contenders) contender.measureRound();
    }
}

void Suite::measure(int rounds) {
    for (Case& one : cases_) measure(one, rounds);
}

}    // namespace bench
