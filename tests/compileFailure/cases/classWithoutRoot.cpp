// EXPECT fail::Room
// ERRORS 5
// EXPECT FERRY_CLASS: the class must derive from ferry::IntSerializableObject
#include <ferry/serialization/Class.hpp>
#include <ferry/serialization/Fields.hpp>
#include <ferry/serialization/ints/ObjectFactory.hpp>

namespace fail {

class Room {
public:
    FERRY_CLASS(fail::Room)
    FERRY_FIELDS(seats)
    int seats = 0;
};

}    // namespace fail
