#include <ferry/connector/exception/Deadlock.hpp>

#include <string>
#include <utility>

#include <fmt/format.h>

FERRY_EXCEPTION_DEFINED(ferry::Deadlock)
FERRY_FIELDS_DEFINED(ferry::StuckRank)
FERRY_FIELDS_DEFINED(ferry::Deadlock)

namespace ferry {

namespace {

std::string linesOf(const std::vector<StuckRank>& ranks, std::string_view who) {
    std::string text = fmt::format("{} can go on, and nothing is under way:", who);
    for (const StuckRank& one : ranks) text += fmt::format("\n  rank {} waits for {}", one.rank, one.awaited.inWords("\n    "));
    return text;
}

}    // namespace

Deadlock::Deadlock(std::vector<StuckRank> ranks, std::string_view who) : Exception(linesOf(ranks, who)), ranks_(std::move(ranks)) {}

}    // namespace ferry
