// EXPECT fail::Room
// EXPECT FERRY_CLASS: the class is abstract: list its fields with FERRY_FIELDS(...)
#include <ferry/serialization/Class.hpp>
#include <ferry/serialization/Fields.hpp>

namespace fail {

class Room : public ferry::IntSerializableObject {
public:
    FERRY_CLASS(fail::Room)
    int seats = 0;
};

}    // namespace fail
