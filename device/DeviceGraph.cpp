#include <ferry/device/DeviceGraph.hpp>

#include <fmt/format.h>

#include <ferry/serialization/exception/UsageError.hpp>
#include <ferry/serialization/ints/TypeName.hpp>

namespace ferry::detail {

void requireImageOf(const DeviceImage& image, const std::type_info& type, std::size_t bytes) {
    const std::string wanted = typeName(type);
    if (image.type != wanted)
        throw UsageError(fmt::format("a graph of a device begins with {}, and was received as {}", image.type, wanted));
    if (image.root + bytes > image.allBytes())
        throw UsageError(
            fmt::format("a graph of a device has {} bytes, too few for its {} at byte {}", image.allBytes(), wanted, image.root));
}

}    // namespace ferry::detail
