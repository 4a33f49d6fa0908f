// EXPECT fail::Room
// EXPECT FERRY_FIELDS of the class (see T) leaves out a member: list it, or write FERRY_FIELDS_SOME(...)
#include <ferry/objects.hpp>

namespace fail {

struct Room {
    int seats = 0;
    int beamers = 0;
    int windows = 0;
    FERRY_FIELDS(seats, windows)
};

}    // namespace fail
