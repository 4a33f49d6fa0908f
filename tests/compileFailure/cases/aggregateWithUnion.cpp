// EXPECT fail::Cell
// EXPECT a plain struct (see T) with a union does not say which of its members is in use: make it a std::variant
#include <ferry/serialization/Codec.hpp>

namespace fail {

struct Cell {
    int kind;
    union {
        int number;
        float weight;
    };
};

void write(ferry::IntWriter& out, const Cell& cell) { out << cell; }

}    // namespace fail
