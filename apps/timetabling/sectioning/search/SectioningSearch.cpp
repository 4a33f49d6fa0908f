#include <ferry/apps/timetabling/sectioning/search/SectioningSearch.hpp>

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include <ferry/apps/timetabling/model/counted.hpp>
#include <ferry/apps/timetabling/sectioning/model/Evaluation.hpp>
#include <ferry/apps/timetabling/sectioning/model/Solution.hpp>
#include <ferry/apps/timetabling/sectioning/search/Annealer.hpp>

namespace timetabling::sectioning {

namespace {

constexpr double constructionShare = 0.05;                  ///< share of a budget for the construction; the annealing mends the rest
constexpr std::int64_t movesOfConstruction = 20'000'000;    ///< of a repeatable run
constexpr double childHeat = 0.3;                           ///< see enrolment::EnrolmentSearch

/// The number of students that the classes of the subpart take.
std::int64_t seatsOf(const Instance& instance, const Subpart& subpart) {
    std::int64_t seats = 0;
    for (const int index : subpart.classes) {
        const int limit = instance.classes[static_cast<std::size_t>(index)].limit;
        if (limit < 0) return std::numeric_limits<std::int32_t>::max();
        seats += limit;
    }
    return seats;
}

/// The number of students that the course takes at most: that of the smallest subpart, summed over the configurations.
std::int64_t seatsOf(const Instance& instance, const Course& course) {
    std::int64_t seats = 0;
    for (const int config : course.configs) {
        std::int64_t least = std::numeric_limits<std::int64_t>::max();
        for (const int subpart : instance.configs[static_cast<std::size_t>(config)].subparts)
            least = std::min(least, seatsOf(instance, instance.subparts[static_cast<std::size_t>(subpart)]));
        seats += least;
    }
    return seats;
}

}    // namespace

std::optional<Infeasibility> SectioningSearch::findInfeasibility() const {
    const Instance& instance = problem_.instance();
    for (std::size_t course = 0; course < instance.courses.size(); ++course) {
        const auto wanted = static_cast<std::int64_t>(problem_.requestsFor(static_cast<int>(course)).size());
        const std::int64_t seats = seatsOf(instance, instance.courses[course]);
        if (wanted > seats)
            return Infeasibility{fmt::format("{} ask for course {}, whose classes have room for {}", counted(wanted, "student"),
                                             instance.courses[course].id, seats),
                                 {}};
    }
    return std::nullopt;
}

std::optional<Infeasibility> SectioningSearch::findInfeasibility(const Slots& /*best*/) const { return std::nullopt; }

int SectioningSearch::populationFor(int slaveCount) const {
    constexpr int most = 64;    // one long annealing finds more than several short ones
    return std::clamp(slaveCount, 1, most);
}

std::string SectioningSearch::describeViolations(const Slots& slots) const {
    return violationsInWords(scoreOf(problem_, toSolution(problem_, slots)));
}

void SectioningSearch::check(const Slots& slots) const { checkSlots(problem_, slots); }

Individual SectioningSearch::construct(std::uint64_t seed, const Budget& budget, const StopHook& stop) const {
    Budget part = budget;
    part.seconds *= constructionShare;
    if (part.moves > 0) part.moves = std::min(part.moves, movesOfConstruction);
    return sectioning::construct(problem_, seed, part, stop);
}

SearchResult SectioningSearch::anneal(const Slots& slots, const SearchOrder& order, const StopHook& stop) const {
    return sectioning::anneal(problem_, slots, order, 1, stop);
}

SearchResult SectioningSearch::improve(const Slots& child, const SearchOrder& order, const StopHook& stop) const {
    return sectioning::anneal(problem_, child, order, childHeat, stop);
}

/// The places of some courses come from the second parent. The students stay in the classes of the first one.
Slots SectioningSearch::cross(const Slots& first, const Slots& second, Random& random) const {
    constexpr double secondShare = 0.3;
    std::vector<bool> isFromSecond;
    for (std::size_t course = 0; course < problem_.instance().courses.size(); ++course)
        isFromSecond.push_back(random.fraction() < secondShare);
    Slots child = first;
    for (int i = 0; i < problem_.classCount(); ++i) {
        const auto index = static_cast<std::size_t>(i);
        if (isFromSecond[static_cast<std::size_t>(problem_.courseOf(i))] && second[index] >= 0) child[index] = second[index];
    }
    return child;
}

bool SectioningSearch::areAlike(const Slots& a, const Slots& b) const {
    constexpr int slotsPerDifference = 100;
    int different = 0;
    for (std::size_t i = 0; i < a.size(); ++i) different += a[i] == b[i] ? 0 : 1;
    return different < 1 + static_cast<int>(a.size()) / slotsPerDifference;
}

}    // namespace timetabling::sectioning
