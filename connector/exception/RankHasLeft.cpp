#include <ferry/connector/exception/RankHasLeft.hpp>

#include <string>

#include <fmt/format.h>

FERRY_EXCEPTION_DEFINED(ferry::RankHasLeft)
FERRY_FIELDS_DEFINED(ferry::RankHasLeft)

namespace ferry {

namespace {

std::string whoIsGone(int rank) {
    return (rank < 0 ? "every other rank has returned" : fmt::format("rank {} has returned", rank)) + " from its program";
}

std::string inVain(std::string text, const std::vector<std::string>& remarks) {
    text += ": this rank waits in vain";
    for (const std::string& remark : remarks) text.append("; ").append(remark);
    return text;
}

}    // namespace

RankHasLeft::RankHasLeft(int rank, const std::vector<std::string>& remarks) : Exception(inVain(whoIsGone(rank), remarks)), rank_(rank) {}

RankHasLeft::RankHasLeft(const detail::Loss& loss, const std::vector<std::string>& remarks)
    : Exception(inVain(loss.text(), remarks)),
      rank_(loss.rank) {}

}    // namespace ferry
