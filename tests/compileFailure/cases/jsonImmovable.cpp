// EXPECT ferry: fromJson makes a value (see T) and moves it to its place, so its class must be movable
#include <ferry/serialization/Fields.hpp>
#include <ferry/serialization/text/Json.hpp>

namespace fail {

struct Fixed {
    int number = 0;
    Fixed() = default;
    Fixed(const Fixed&) = delete;
    Fixed& operator=(const Fixed&) = delete;
    FERRY_FIELDS(number)
};

int call() { return ferry::fromJson<Fixed>("{}").number; }

}    // namespace fail
