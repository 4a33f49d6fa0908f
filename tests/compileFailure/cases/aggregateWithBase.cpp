// EXPECT fail::Hall
// EXPECT a plain struct (see T) with a base class cannot be taken apart: give it FERRY_FIELDS_AFTER(Base, ...)
#include <ferry/serialization/Codec.hpp>

namespace fail {

struct Room {
    int seats;
};

struct Hall : Room {
    int stages;
};

void write(ferry::IntWriter& out, const Hall& hall) { out << hall; }

}    // namespace fail
