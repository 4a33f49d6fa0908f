// EXPECT ferry: a value (see T) that fromJson makes needs a default constructor
#include <vector>

#include <ferry/serialization/Fields.hpp>
#include <ferry/serialization/text/Json.hpp>

namespace fail {

class Seat {
public:
    FERRY_FIELDS(row)
    explicit Seat(int theRow) : row(theRow) {}
    int row;
};

std::size_t call() { return ferry::fromJson<std::vector<Seat>>("[]").size(); }

}    // namespace fail
