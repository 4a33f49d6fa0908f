// EXPECT fail::Clock
// EXPECT cannot be written: list its fields with FERRY_FIELDS(...)
#include <ferry/serialization/Class.hpp>
#include <ferry/serialization/Fields.hpp>

namespace fail {

class Clock {
public:
    explicit Clock(long ticks) : ticks_(ticks) {}

private:
    long ticks_;
};

class Station : public ferry::IntSerializableObject {
public:
    FERRY_CLASS(fail::Station)
    FERRY_FIELDS(name, clock)
    int name = 0;
    Clock clock{0};
};

}    // namespace fail
