// EXPECT ferry: FERRY_FIELDS of the class (see T) leaves out a member
#include <string>

#include <ferry/serialization/Fields.hpp>
#include <ferry/serialization/text/Json.hpp>

namespace fail {

struct Pair {
    int first = 0;
    int second = 0;
    FERRY_FIELDS(first)
};

std::string call(const Pair& pair) { return ferry::toJson(pair); }

}    // namespace fail
