// EXPECT fail::Seat
// EXPECT the value of an optional (see T) needs a default constructor to be read
#include <optional>

#include <ferry/serialization/Codec.hpp>
#include <ferry/serialization/Fields.hpp>

namespace fail {

class Seat {
public:
    FERRY_FIELDS(row)
    explicit Seat(int theRow) : row(theRow) {}
    int row;
};

void read(ferry::IntReader& in, std::optional<Seat>& seats) { in >> seats; }

}    // namespace fail
