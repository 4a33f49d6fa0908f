// EXPECT fail::Seat []
// EXPECT a pointer to an array does not know its length: use std::vector
#include <memory>

#include <ferry/serialization/Codec.hpp>

namespace fail {

struct Seat {
    int row = 0;
};

void write(ferry::IntWriter& out, const std::unique_ptr<Seat[]>& seats) { out << seats; }

}    // namespace fail
