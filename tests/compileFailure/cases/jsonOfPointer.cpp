// EXPECT ferry: values of this type (see T) have no JSON: give the class FERRY_FIELDS
#include <string>

#include <ferry/serialization/text/Json.hpp>

namespace fail {

std::string call(int* number) { return ferry::toJson(number); }

}    // namespace fail
