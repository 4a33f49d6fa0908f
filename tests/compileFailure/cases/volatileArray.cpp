// EXPECT int [2][3]
// EXPECT a volatile value (see T) cannot be written: take volatile off the field or element, or make it a std::atomic
#include <ferry/serialization/Codec.hpp>

namespace fail {

struct Ports {
    volatile int states[2][3] = {};
    int number = 0;
};

void write(ferry::IntWriter& out, const Ports& ports) { out << ports; }

}    // namespace fail
