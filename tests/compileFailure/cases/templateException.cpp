// EXPECT fail::Box<int>
// EXPECT not in a class template, whose instances (see T) would all have one name and are never registered
#include <ferry/ferry.hpp>

namespace fail {

template <class T>
class Box : public ferry::Exception {
public:
    FERRY_EXCEPTION(Box)
    FERRY_FIELDS(content)
    T content{};
};

int contentOf() { return Box<int>().content; }

}    // namespace fail
