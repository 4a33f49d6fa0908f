#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <ferry/guard/known/RollNote.hpp>

namespace ferry::pmpi {

/// A roll call in words, for one page: ranks in groups by where they stand, the smallest groups first, and then what does not fit. The text
/// ends without a newline. notes: one for each rank, in any order.
std::string rollCallText(std::vector<RollNote> notes);

/// Numbers of ranks in words, such as "0-2, 5". A list that is too long ends with the number of the others.
std::string ranksInWords(const std::vector<int>& ranks);

}    // namespace ferry::pmpi
