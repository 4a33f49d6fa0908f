#include <ferry/serialization/boost/BoostOutputArchive.hpp>

#include <array>
#include <cstring>

#include <fmt/format.h>
#include <boost/archive/impl/archive_serializer_map.ipp>

#include <ferry/serialization/exception/UsageError.hpp>

template class boost::archive::detail::archive_serializer_map<ferry::BoostOutputArchive>;

namespace ferry {

BoostOutputArchive::BoostOutputArchive(IntWriter& out, unsigned flags) : common_oarchive(flags), out_(out) {
    // The layout of some of Boost's own types depends on the library version.
    out_.writeInt(static_cast<std::int32_t>(get_library_version()));
}

void BoostOutputArchive::saveLongDouble(long double value) {
    std::array<std::byte, sizeof(long double)> bytes{};    // zeros in the padding of a long double
    std::memcpy(bytes.data(), &value, detail::longDoubleBytes);
    out_.writeBytes(bytes.data(), bytes.size());
}

void BoostOutputArchive::failTooDeep() const {
    FERRY_THROW(UsageError(
        fmt::format("objects are nested deeper than {} levels for Boost.Serialization: raise the limits with setMaxDepth here and at the "
                    "reader, if the stacks are large enough",
                    maxDepth_)));
}

void BoostOutputArchive::failRefused(const boost::archive::archive_exception& error) {
    FERRY_THROW(UsageError(fmt::format("Boost.Serialization refuses to write: {}", error.what())));
}

}    // namespace ferry
