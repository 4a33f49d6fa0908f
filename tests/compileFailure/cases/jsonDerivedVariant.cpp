// EXPECT ferry: the class (see T) derives from what it would travel as
#include <string>
#include <variant>

#include <ferry/serialization/text/Json.hpp>

namespace fail {

struct Titled : std::variant<int, std::string> {
    int title = 0;
};

std::string call(const Titled& titled) { return ferry::toJson(titled); }

}    // namespace fail
