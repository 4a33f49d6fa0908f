// EXPECT this type (see T in the lines near this one) cannot be written: list its fields with FERRY_FIELDS(...) in the class
// EXPECT Wheel
#include <ferry/serialization/Fields.hpp>

namespace fail {

class Wheel {
public:
    int turns() const { return turns_; }

private:
    int turns_ = 0;
};

struct Cart {
    Wheel* wheels = nullptr;
    unsigned count = 0;
    ~Cart() { delete[] wheels; }
    FERRY_FIELDS(ferry::ownedArray(wheels, count))
};

void write(ferry::IntWriter& out, const Cart& cart) { cart.writeToInts(out); }
void read(ferry::IntReader& in, Cart& cart) { cart.readFromInts(in); }

}    // namespace fail
