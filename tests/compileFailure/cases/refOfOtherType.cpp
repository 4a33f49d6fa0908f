// EXPECT ferry::Ref<int>
// EXPECT ferry::Ref<double>
#include <ferry/framework/slave/Ref.hpp>

namespace fail {

struct Reader {
    ferry::Ref<double> value;
};

Reader make(const ferry::Ref<int>& number) { return {number}; }

}    // namespace fail
