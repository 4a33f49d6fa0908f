// EXPECT fail::Header
// EXPECT a plain struct (see T) with a bit-field, a struct without a name, an array of no elements, or packed, cannot be taken apart: give it writeToInts and readFromInts
#include <ferry/serialization/Codec.hpp>

namespace fail {

struct [[gnu::packed]] Header {
    char kind;
    double length;
};

void write(ferry::IntWriter& out, const Header& header) { out << header; }

}    // namespace fail
