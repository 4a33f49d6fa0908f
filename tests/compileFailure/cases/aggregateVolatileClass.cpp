// EXPECT fail::Port
// EXPECT a volatile value (see T) cannot be written: take volatile off the field or element, or make it a std::atomic
#include <ferry/serialization/Codec.hpp>

namespace fail {

struct Point {
    int x;
};

struct Port {
    volatile Point where;
    int number;
};

void write(ferry::IntWriter& out, const Port& port) { out << port; }

}    // namespace fail
