// EXPECT fail::Drawing
// EXPECT "shape"
// EXPECT a class with virtual functions (see Class and Name) cannot go to a device as a whole: name its data with a View
#include <ferry/device.hpp>

namespace fail {

class Shape : public ferry::IntSerializableObject {
public:
    FERRY_CLASS(fail::Shape)
    FERRY_FIELDS(edges)
    int edges = 0;
};

struct Drawing {
    Shape* shape = nullptr;
    FERRY_FIELDS(shape)
};

void copy(ferry::Device& device, Drawing& drawing) { device.copy(drawing); }

}    // namespace fail
