#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <ferry/serialization/Fields.hpp>

namespace ferry::detail {

/// The ranks that a rank waits for, what it waits for, and what it may have overlooked.
struct Awaited {
    std::vector<int> ranks;    ///< empty: any rank
    std::string what;          ///< the awaited thing in words, such as "a value of type int from rank 2"
    /// Clauses that say what the rank may have overlooked, such as "there is a value of type int from rank 2, which nobody has received".
    /// The nearest misses come first. Their number is bounded.
    std::vector<std::string> remarks{};
    FERRY_FIELDS_DECLARED(ranks, what, remarks)

    /// The awaited thing, followed by the remarks, each behind the separator.
    std::string inWords(std::string_view separator) const;
};

}    // namespace ferry::detail
