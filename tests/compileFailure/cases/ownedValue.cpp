// EXPECT ferry::owned and ferry::ownedArray take a raw pointer: list any other member by its name alone
#include <memory>

#include <ferry/serialization/Fields.hpp>

namespace fail {

struct Tree {
    std::unique_ptr<Tree> left;
    FERRY_FIELDS(ferry::owned(left))
};

void write(ferry::IntWriter& out, const Tree& tree) { tree.writeToInts(out); }

}    // namespace fail
