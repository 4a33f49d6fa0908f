#include <ferry/connector/message/letter/LetterFilter.hpp>

#include <fmt/format.h>

namespace ferry::detail {

std::string sourceInWords(int from) { return from == AnyRank ? "any rank" : fmt::format("rank {}", from); }

std::string originInWords(const Filter& filter) {
    const std::int32_t tag = filter.number().value_or(0);
    return " from " + sourceInWords(filter.from()) + (tag != 0 ? fmt::format(", tag {}", tag) : "");
}

Awaited Filter::awaited() const {
    Awaited awaited;
    if (from_ != AnyRank) awaited.ranks.push_back(from_);
    awaited.what = description_ != nullptr ? description_(*this) : "a message from " + sourceInWords(from_);
    return awaited;
}

int Filter::missOf(const Letter& letter) const noexcept {
    const bool isFrom = from_ == AnyRank || from_ == letter.from;
    const bool isNumber = !number_ || *number_ == letter.envelope.number;
    const bool isType = isOfType(letter);
    if (isFrom && isNumber && isType) return 0;
    if (isFrom && isNumber) return 1;
    if (isFrom && isType) return 2;
    if (isNumber && isType) return 3;
    if (isType) return 4;
    return isFrom ? 5 : 6;
}

}    // namespace ferry::detail
