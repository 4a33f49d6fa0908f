#pragma once

#include <string>
#include <vector>

#include <ferry/serialization/Fields.hpp>

namespace ferry {

/// Who a rank waits for, and what for.
struct Awaited {
    std::vector<int> ranks;    ///< none: any rank would do
    std::string what;          ///< in words, such as "a value of type int from rank 2"
    FERRY_FIELDS(ranks, what)
};

}    // namespace ferry
