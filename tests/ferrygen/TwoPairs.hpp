#pragma once

#include <cstdint>
#include <vector>

// The ints that the views of two sources write. The tags of both sources have the same names.
std::vector<std::int32_t> intsOfFirstPair(int first, int second);
std::vector<std::int32_t> intsOfSecondPair(int first, int second);
