// EXPECT std::__cxx11::basic_string<char>
// EXPECT ferry: a constant value (see T) can be written, but not read into
#include <string>

#include <ferry/serialization/Fields.hpp>

namespace fail {

struct Room {
    FERRY_FIELDS(name)
    const std::string name = "B-12";
};

void read(ferry::IntReader& in, Room& room) { in >> room; }

}    // namespace fail
