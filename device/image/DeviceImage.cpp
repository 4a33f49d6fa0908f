#include <ferry/device/image/DeviceImage.hpp>

#include <cstring>

#include <fmt/format.h>

namespace ferry::detail {

void DeviceImage::writeToInts(IntWriter& out) const { out << type << root << bytes << pointers; }

void DeviceImage::readFromInts(IntReader& in) {
    in >> type >> root >> bytes >> pointers;
    if (root > bytes.size()) in.fail(fmt::format("a root within {} bytes", bytes.size()), fmt::format("place {}", root));
    std::uint64_t before = 0;
    for (const std::uint64_t place : pointers) {
        if (bytes.size() < sizeof(std::uint64_t) || place > bytes.size() - sizeof(std::uint64_t) || place % sizeof(std::uint64_t) != 0 ||
            (before != 0 && place <= before))
            in.fail(fmt::format("places of pointers within {} bytes, ascending", bytes.size()), fmt::format("place {}", place));
        before = place;
        std::uint64_t target = 0;
        std::memcpy(&target, bytes.data() + place, sizeof target);
        if (target > bytes.size() + 1) in.fail(fmt::format("a pointer into {} bytes", bytes.size()), fmt::format("place {}", target - 1));
    }
}

}    // namespace ferry::detail
