// EXPECT ferry: versions are counted from 1
#include <ferry/serialization/Fields.hpp>

namespace fail {

struct Room {
    FERRY_FIELDS_VERSIONED(0, seats)
    int seats = 0;
};

}    // namespace fail
