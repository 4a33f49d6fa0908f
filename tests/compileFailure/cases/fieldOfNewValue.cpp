// EXPECT fail::Room
// EXPECT ferry: FERRY_FIELDS lists members; an expression that makes a new value cannot be read into
#include <string>

#include <ferry/serialization/Fields.hpp>

namespace fail {

struct Room {
    FERRY_FIELDS(name())
    std::string name() const { return "B-12"; }
};

void read(ferry::IntReader& in, Room& room) { in >> room; }

}    // namespace fail
