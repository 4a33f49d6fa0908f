// EXPECT fail::Lab
// EXPECT the class (see T) inherits writeToInts, which leaves out its own fields: list them with FERRY_FIELDS(...) or FERRY_FIELDS_AFTER(Base, ...)
#include <ferry/serialization/Class.hpp>
#include <ferry/serialization/Fields.hpp>

namespace fail {

class Room : public ferry::IntSerializableObject {
public:
    FERRY_CLASS(fail::Room)
    FERRY_FIELDS(seats)
    int seats = 0;
};

class Lab : public Room {    // as large as a Room
public:
    int sinks = 0;
};

void write(ferry::IntWriter& out, const Lab& lab) { out << lab; }

}    // namespace fail
