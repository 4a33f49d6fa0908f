// EXPECT fail::Corner
// EXPECT FERRY_FIELDS of the class (see T) leaves out a container or another value from which the class derives: write FERRY_FIELDS_AFTER(Base, ...)
#include <array>

#include <ferry/serialization/Fields.hpp>

namespace fail {

class Corner : protected std::array<int, 3> {
public:
    FERRY_FIELDS(number)
    Corner() = default;

private:
    int number = 0;
};

void write(ferry::IntWriter& out, const Corner& corner) { out << corner; }

}    // namespace fail
