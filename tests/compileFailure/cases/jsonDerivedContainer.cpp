// EXPECT ferry: the class (see T) derives from what it would travel as
#include <string>
#include <vector>

#include <ferry/serialization/text/Json.hpp>

namespace fail {

struct Named : std::vector<int> {
    explicit Named(int theNumber) : number(theNumber) {}
    int number;
};

std::string call(const Named& named) { return ferry::toJson(named); }

}    // namespace fail
