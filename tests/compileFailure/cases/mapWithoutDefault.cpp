// EXPECT fail::Seat
// EXPECT the keys and values of a map or set (see T) need a default constructor to be read
#include <map>

#include <ferry/serialization/Codec.hpp>
#include <ferry/serialization/Fields.hpp>

namespace fail {

class Seat {
public:
    FERRY_FIELDS(row)
    explicit Seat(int theRow) : row(theRow) {}
    int row;
};

void read(ferry::IntReader& in, std::map<int, Seat>& seats) { in >> seats; }

}    // namespace fail
