// EXPECT int []
// EXPECT ferry: a pointer to an array does not know its length: use std::vector
#include <memory>

#include <ferry/serialization/Codec.hpp>

namespace fail {

struct Samples {
    int count = 0;
    std::unique_ptr<int[]> values;
};

void write(ferry::IntWriter& out, const Samples& samples) { out << samples; }
void read(ferry::IntReader& in, Samples& samples) { in >> samples; }

}    // namespace fail
