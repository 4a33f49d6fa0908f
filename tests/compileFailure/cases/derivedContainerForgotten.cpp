// EXPECT fail::Row
// EXPECT FERRY_FIELDS of the class (see T) leaves out a container or another value from which the class derives: write FERRY_FIELDS_AFTER(Base, ...)
#include <vector>

#include <ferry/serialization/Fields.hpp>

namespace fail {

class Row : public std::vector<int> {
public:
    FERRY_FIELDS(number)
    Row() = default;

private:
    int number = 0;
};

void write(ferry::IntWriter& out, const Row& row) { out << row; }

}    // namespace fail
