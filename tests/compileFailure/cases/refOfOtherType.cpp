// EXPECT ferry::Ref<int>
// EXPECT ferry::Ref<double>
#include <ferry/framework/slave/Ref.hpp>

namespace fail {

struct Reader {
    ferry::Ref<double> value;
};

void set(Reader& reader, const ferry::Ref<int>& number) { reader.value = number; }

}    // namespace fail
