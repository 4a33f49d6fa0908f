// EXPECT this type (see T in the lines near this one) cannot be written: list its fields with FERRY_FIELDS(...) in the class
// EXPECT Engine
#include <ferry/serialization/Fields.hpp>

namespace fail {

class Engine {
public:
    int power() const { return power_; }

private:
    int power_ = 0;
};

struct Car {
    Engine* engine = nullptr;
    ~Car() { delete engine; }
    FERRY_FIELDS(ferry::owned(engine))
};

void write(ferry::IntWriter& out, const Car& car) { car.writeToInts(out); }
void read(ferry::IntReader& in, Car& car) { car.readFromInts(in); }

}    // namespace fail
