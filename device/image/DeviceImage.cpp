#include <ferry/device/image/DeviceImage.hpp>

#include <cstring>

#include <fmt/format.h>

namespace ferry::detail {

namespace {

constexpr std::uint64_t MostArrayBytes = std::uint64_t{1} << 48;    // more than a device has addresses for

}    // namespace

void DeviceImage::writeToInts(IntWriter& out) const { out << type << root << bytes << pointers; }

void DeviceImage::readFromInts(IntReader& in) {
    in >> type >> root >> bytes >> pointers;
    arrayBytes = 0;
    requirePlacesWithin(in);
}

void DeviceImage::writeHeadToInts(IntWriter& out) const { out << type << root << bytes << pointers << arrayBytes; }

void DeviceImage::readHeadFromInts(IntReader& in) {
    in >> type >> root >> bytes >> pointers >> arrayBytes;
    if (arrayBytes > MostArrayBytes) in.fail(fmt::format("at most {} bytes of arrays", MostArrayBytes), fmt::format("{}", arrayBytes));
    requirePlacesWithin(in);
}

void DeviceImage::requirePlacesWithin(IntReader& in) const {
    if (root > allBytes()) in.fail(fmt::format("a root within {} bytes", allBytes()), fmt::format("place {}", root));
    std::uint64_t before = 0;
    for (const std::uint64_t place : pointers) {
        if (bytes.size() < sizeof(std::uint64_t) || place > bytes.size() - sizeof(std::uint64_t) || place % sizeof(std::uint64_t) != 0 ||
            (before != 0 && place <= before))
            in.fail(fmt::format("places of pointers within {} bytes, ascending", bytes.size()), fmt::format("place {}", place));
        before = place;
        std::uint64_t target = 0;
        std::memcpy(&target, bytes.data() + place, sizeof target);
        if (target > allBytes() + 1) in.fail(fmt::format("a pointer into {} bytes", allBytes()), fmt::format("place {}", target - 1));
    }
}

}    // namespace ferry::detail
