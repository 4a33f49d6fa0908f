#include <ferry/connector/exception/Deadlock.hpp>

#include <string>
#include <utility>

#include <fmt/format.h>

FERRY_EXCEPTION_DEFINED(ferry::Deadlock)
FERRY_FIELDS_DEFINED(ferry::StuckRank)
FERRY_FIELDS_DEFINED(ferry::Deadlock)

namespace ferry {

namespace {

std::string linesOf(const std::vector<StuckRank>& ranks) {
    std::string text = "no rank can go on, and nothing is under way:";
    for (const StuckRank& one : ranks) text += fmt::format("\n  rank {} waits for {}", one.rank, one.awaited.inWords("\n    "));
    return text;
}

}    // namespace

Deadlock::Deadlock(std::vector<StuckRank> ranks) : Exception(linesOf(ranks)), ranks_(std::move(ranks)) {}

}    // namespace ferry
