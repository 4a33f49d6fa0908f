// EXPECT fail::Names
// EXPECT FERRY_FIELDS of the class (see T) leaves out a container or another value from which the class derives: write FERRY_FIELDS_AFTER(Base, ...)
#include <map>

#include <ferry/serialization/Fields.hpp>

namespace fail {

class Names : std::map<int, int> {
public:
    FERRY_FIELDS(number)
    Names() = default;

private:
    int number = 0;
};

void write(ferry::IntWriter& out, const Names& names) { out << names; }

}    // namespace fail
