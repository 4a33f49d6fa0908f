// EXPECT fail::Seat
// EXPECT every alternative of a variant (see Alternatives) needs a default constructor to be read
#include <variant>

#include <ferry/serialization/Codec.hpp>
#include <ferry/serialization/Fields.hpp>

namespace fail {

class Seat {
public:
    FERRY_FIELDS(row)
    explicit Seat(int theRow) : row(theRow) {}
    int row;
};

void read(ferry::IntReader& in, std::variant<int, Seat>& seats) { in >> seats; }

}    // namespace fail
