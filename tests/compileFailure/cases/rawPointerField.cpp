// EXPECT fail::Node*
// EXPECT a raw pointer cannot travel by itself: use std::unique_ptr or std::shared_ptr
#include <ferry/serialization/Class.hpp>
#include <ferry/serialization/Fields.hpp>

namespace fail {

class Node : public ferry::IntSerializableObject {
public:
    FERRY_CLASS(fail::Node)
    FERRY_FIELDS(number, next)
    int number = 0;
    Node* next = nullptr;
};

}    // namespace fail
