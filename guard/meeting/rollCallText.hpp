#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <ferry/connector/exception/report/ranksInWords.hpp>
#include <ferry/guard/known/RollNote.hpp>

namespace ferry::pmpi {

/// A roll call in words, for one page: ranks in groups by where they stand, the smallest groups first, and then what does not fit. The text
/// ends without a newline. notes: one for each rank, in any order.
std::string rollCallText(std::vector<RollNote> notes);

using ferry::detail::ranksInWords;
using ferry::detail::ranksWithCount;

}    // namespace ferry::pmpi
