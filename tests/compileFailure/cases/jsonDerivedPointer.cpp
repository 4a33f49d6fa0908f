// EXPECT ferry: the class (see T) derives from what it would travel as
#include <memory>
#include <string>

#include <ferry/serialization/text/Json.hpp>

namespace fail {

struct Handle : std::unique_ptr<int> {
    int title = 0;
};

std::string call(const Handle& handle) { return ferry::toJson(handle); }

}    // namespace fail
