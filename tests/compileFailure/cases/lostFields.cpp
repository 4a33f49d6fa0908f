// EXPECT fail::Lab
// EXPECT FERRY_CLASS: the class (see T) inherits writeToInts, which leaves out its own fields
#include <string>

#include <ferry/serialization/Class.hpp>
#include <ferry/serialization/Fields.hpp>

namespace fail {

class Room : public ferry::IntSerializableObject {
public:
    FERRY_CLASS(fail::Room)
    FERRY_FIELDS(seats)
    long seats = 0;
};

class Lab : public Room {
public:
    FERRY_CLASS(fail::Lab)
    std::string equipment;
};

}    // namespace fail
