// EXPECT std::map<int, fail::Room>
// EXPECT ferry: the view names members that this type (see T) does not have
#include <map>

#include <ferry/serialization/Codec.hpp>

namespace fail {

struct Room {
    int seats = 0;
};
using Seats = ferry::View<&Room::seats>;

void write(ferry::IntWriter& out, const std::map<int, Room>& rooms) { out << ferry::part<Seats>(rooms); }

}    // namespace fail
