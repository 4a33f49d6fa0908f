#pragma once

#include <string>
#include <vector>

namespace ferry::detail {

/// Numbers of ranks in words, such as "0-2, 5". A list that is too long ends with the number of the others. ranks: in ascending order.
std::string ranksInWords(const std::vector<int>& ranks);

/// The numbers of ranks in words, behind their count, such as "4 ranks (0-2, 5)"; "rank 5" for a single rank.
std::string ranksWithCount(const std::vector<int>& ranks);

}    // namespace ferry::detail
