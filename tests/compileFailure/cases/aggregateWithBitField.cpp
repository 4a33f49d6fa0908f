// EXPECT fail::Flags
// EXPECT a plain struct (see T) with a bit-field, a struct without a name, an array of no elements, or packed, cannot be taken apart: give it writeToInts and readFromInts
#include <ferry/serialization/Codec.hpp>

namespace fail {

struct Flags {
    unsigned isOpen : 1, isLit : 1, seats : 10;
};

void write(ferry::IntWriter& out, const Flags& flags) { out << flags; }

}    // namespace fail
