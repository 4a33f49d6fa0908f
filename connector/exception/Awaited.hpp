#pragma once

#include <string>
#include <vector>

#include <ferry/serialization/Fields.hpp>

namespace ferry {

/// The ranks that a rank waits for, and a text that says for what.
struct Awaited {
    std::vector<int> ranks;    ///< none: any rank would do
    std::string what;          ///< in words, such as "a value of type int from rank 2"
    FERRY_FIELDS(ranks, what)
};

}    // namespace ferry
