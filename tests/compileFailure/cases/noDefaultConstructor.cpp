// EXPECT fail::Room
// EXPECT FERRY_CLASS: the class needs a public default constructor
#include <ferry/serialization/Class.hpp>
#include <ferry/serialization/Fields.hpp>

namespace fail {

class Room : public ferry::IntSerializableObject {
public:
    FERRY_CLASS(fail::Room)
    FERRY_FIELDS(seats)
    explicit Room(int theSeats) : seats(theSeats) {}
    int seats;
};

}    // namespace fail
