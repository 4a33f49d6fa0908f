// EXPECT int [2]
// EXPECT ferry: a constant value (see T) can be written, but not read into
#include <ferry/serialization/Codec.hpp>

namespace fail {

struct Range {
    int number = 0;
    const int ends[2] = {1, 2};
};

void write(ferry::IntWriter& out, const Range& range) { out << range; }    // can be written
void read(ferry::IntReader& in, Range& range) { in >> range; }

}    // namespace fail
