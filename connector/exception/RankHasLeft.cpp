#include <ferry/connector/exception/RankHasLeft.hpp>

#include <string>

#include <fmt/format.h>

FERRY_EXCEPTION_DEFINED(ferry::RankHasLeft)
FERRY_FIELDS_DEFINED(ferry::RankHasLeft)

namespace ferry {

namespace {

std::string whoIsGone(int rank) { return rank < 0 ? "every other rank has returned" : fmt::format("rank {} has returned", rank); }

}    // namespace

RankHasLeft::RankHasLeft(int rank) : Exception(whoIsGone(rank) + " from its program: this rank waits in vain"), rank_(rank) {}

RankHasLeft::RankHasLeft(const Loss& loss) : Exception(loss.text() + ": this rank waits in vain"), rank_(loss.rank) {}

}    // namespace ferry
