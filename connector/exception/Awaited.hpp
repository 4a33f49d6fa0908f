#pragma once

#include <string>
#include <vector>

#include <ferry/serialization/Fields.hpp>

namespace ferry {

/// The ranks that a rank waits for, and what it waits for.
struct Awaited {
    std::vector<int> ranks;    ///< empty: any rank
    std::string what;          ///< the awaited thing in words, such as "a value of type int from rank 2"
    FERRY_FIELDS_DECLARED(ranks, what)
};

}    // namespace ferry
