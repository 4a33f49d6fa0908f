#include <ferry/apps/timetabling/sectioning/model/rules.hpp>

#include <algorithm>
#include <bit>
#include <utility>
#include <vector>

namespace timetabling::sectioning {

namespace {

bool isSubset(std::uint64_t one, std::uint64_t other) { return (one | other) == one || (one | other) == other; }

bool isWithin(const TimeSpan& one, const TimeSpan& other) { return other.start <= one.start && one.end() <= other.end(); }

bool areApartInTheDay(const TimeSpan& one, const TimeSpan& other, int gap) {
    return one.end() + gap <= other.start || other.end() + gap <= one.start;
}

/// Whether the first meeting of one class ends before the first meeting of the other class begins.
bool isBefore(const TimeSpan& one, const TimeSpan& other) {
    const auto first = [](const TimeSpan& span) { return std::pair(std::countr_zero(span.weeks), std::countr_zero(span.days)); };
    return first(one) < first(other) || (first(one) == first(other) && one.end() <= other.start);
}

/// Times of classes on one day, which are merged where the gap is short.
struct Block {
    int start = 0;
    int end = 0;
    int classCount = 1;
};

/// Merges the blocks whose gap is at most this number of slots. Sorts the blocks by time.
void merge(std::vector<Block>& blocks, int gap) {
    std::sort(blocks.begin(), blocks.end(), [](const Block& one, const Block& other) { return one.start < other.start; });
    std::size_t last = 0;
    for (std::size_t i = 1; i < blocks.size(); ++i) {
        if (blocks[last].end + gap >= blocks[i].start) {
            blocks[last].end = std::max(blocks[last].end, blocks[i].end);
            ++blocks[last].classCount;
        } else {
            blocks[++last] = blocks[i];
        }
    }
    if (!blocks.empty()) blocks.resize(last + 1);
}

/// By how much the classes of one day are over the limit.
std::int64_t violationOfDay(const Distribution& distribution, std::vector<Block>& blocks) {
    if (distribution.type == DistributionType::MaxDayLoad) {
        std::int64_t load = 0;
        for (const Block& block : blocks) load += block.end - block.start;
        return std::max<std::int64_t>(0, load - distribution.first);
    }
    merge(blocks, distribution.second);
    if (distribution.type == DistributionType::MaxBreaks)
        return std::max<std::int64_t>(0, static_cast<std::int64_t>(blocks.size()) - 1 - distribution.first);
    return std::count_if(blocks.begin(), blocks.end(), [&distribution](const Block& block) {
        return block.classCount > 1 && block.end - block.start > distribution.first;    // a long class alone breaks no rule
    });
}

std::int64_t violationOfDays(const Problem& problem, const Distribution& distribution, std::span<const Place> places) {
    std::int64_t violation = 0;
    std::vector<int> there;      // the classes that take place on the day
    std::vector<int> present;    // those that do so in the week
    std::vector<int> before;     // those of the week before
    std::vector<Block> blocks;
    for (int day = 0; day < problem.instance().dayCount; ++day) {
        there.clear();
        for (const int index : distribution.classes) {
            const Place& place = places[static_cast<std::size_t>(index)];
            if (place.isPlaced && (place.span.days >> day & 1U) != 0) there.push_back(index);
        }
        if (there.empty()) continue;
        std::int64_t ofWeek = 0;
        before.clear();
        for (int week = 0; week < problem.instance().weekCount; ++week) {
            present.clear();
            for (const int index : there) {
                if ((places[static_cast<std::size_t>(index)].span.weeks >> week & 1U) != 0) present.push_back(index);
            }
            if (present != before || week == 0) {    // most weeks are like the week before
                blocks.clear();
                for (const int index : present) {
                    const TimeSpan& span = places[static_cast<std::size_t>(index)].span;
                    blocks.push_back({span.start, span.end()});
                }
                ofWeek = violationOfDay(distribution, blocks);
                std::swap(before, present);
            }
            violation += ofWeek;
        }
    }
    return violation;
}

std::int64_t violationOfPairs(const Problem& problem, const Distribution& distribution, std::span<const Place> places) {
    std::int64_t violation = 0;
    for (std::size_t i = 0; i < distribution.classes.size(); ++i) {
        const Place& first = places[static_cast<std::size_t>(distribution.classes[i])];
        if (!first.isPlaced) continue;
        for (std::size_t k = i + 1; k < distribution.classes.size(); ++k) {
            const Place& second = places[static_cast<std::size_t>(distribution.classes[k])];
            if (second.isPlaced && !keeps(problem, distribution, first, second)) ++violation;
        }
    }
    return violation;
}

std::int64_t daysOverLimit(const Distribution& distribution, std::span<const Place> places) {
    std::uint32_t days = 0;
    for (const int index : distribution.classes) {
        const Place& place = places[static_cast<std::size_t>(index)];
        if (place.isPlaced) days |= place.span.days;
    }
    return std::max(0, std::popcount(days) - distribution.first);
}

}    // namespace

bool keeps(const Problem& problem, const Distribution& distribution, const Place& first, const Place& second) {
    const TimeSpan& one = first.span;
    const TimeSpan& other = second.span;
    const bool haveRooms = first.room >= 0 && second.room >= 0;
    switch (distribution.type) {
        case DistributionType::SameStart: return one.start == other.start;
        case DistributionType::SameTime: return isWithin(one, other) || isWithin(other, one);
        case DistributionType::DifferentTime: return areApartInTheDay(one, other, 0);
        case DistributionType::SameDays: return isSubset(one.days, other.days);
        case DistributionType::DifferentDays: return (one.days & other.days) == 0;
        case DistributionType::SameWeeks: return isSubset(one.weeks, other.weeks);
        case DistributionType::DifferentWeeks: return (one.weeks & other.weeks) == 0;
        case DistributionType::Overlap: return overlap(one, other);
        case DistributionType::NotOverlap: return !overlap(one, other);
        case DistributionType::SameRoom: return !haveRooms || first.room == second.room;
        case DistributionType::DifferentRoom: return !haveRooms || first.room != second.room;
        case DistributionType::SameAttendees: return !excludeEachOther(problem, first, second);
        case DistributionType::Precedence: return isBefore(one, other);
        case DistributionType::WorkDay:
            return !shareADay(one, other) || std::max(one.end(), other.end()) - std::min(one.start, other.start) <= distribution.first;
        case DistributionType::MinGap: return !shareADay(one, other) || areApartInTheDay(one, other, distribution.first);
        case DistributionType::MaxDays:
        case DistributionType::MaxDayLoad:
        case DistributionType::MaxBreaks:
        case DistributionType::MaxBlock: break;
    }
    return true;    // these constraints compare no pairs
}

std::int64_t violationOf(const Problem& problem, const Distribution& distribution, std::span<const Place> places) {
    if (comparesPairs(distribution.type)) return violationOfPairs(problem, distribution, places);
    if (distribution.type == DistributionType::MaxDays) return daysOverLimit(distribution, places);
    return violationOfDays(problem, distribution, places);
}

std::int64_t costOf(const Problem& problem, const Distribution& distribution, std::int64_t violation) {
    const std::int64_t sum = violation * distribution.penalty;
    const bool isOfDays = !comparesPairs(distribution.type) && distribution.type != DistributionType::MaxDays;
    return isOfDays ? sum / problem.instance().weekCount : sum;
}

}    // namespace timetabling::sectioning
