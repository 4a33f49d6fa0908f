#pragma once

#include <cstdint>
#include <vector>

// What the views of two sources write, whose tags have the same names.
std::vector<std::int32_t> intsOfFirstPair(int first, int second);
std::vector<std::int32_t> intsOfSecondPair(int first, int second);
