#pragma once

#include <algorithm>

namespace verbs {

/// The numbers from 0 on, divided among ranks in blocks of equal length; the last blocks may be shorter.
class Blocks {
public:
    Blocks(long count, int rankCount) : count_(count), length_(std::max((count + rankCount - 1) / rankCount, 1L)) {}

    long count() const { return count_; }
    long begin(int rank) const { return std::min(rank * length_, count_); }
    long end(int rank) const { return begin(rank + 1); }
    int ownerOf(long number) const { return static_cast<int>(number / length_); }

private:
    long count_;
    long length_;
};

}    // namespace verbs
