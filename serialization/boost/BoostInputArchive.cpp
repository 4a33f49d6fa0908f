#include <ferry/serialization/boost/BoostInputArchive.hpp>

#include <algorithm>
#include <cstring>
#include <string>

#include <fmt/format.h>
#include <boost/archive/impl/archive_serializer_map.ipp>
#include <boost/serialization/config.hpp>

#include <ferry/serialization/exception/SerializationError.hpp>

template class boost::archive::detail::archive_serializer_map<ferry::BoostInputArchive>;

namespace ferry {

namespace {

/// The library version of Boost 1.81, the oldest version that can write.
constexpr int oldestLibraryVersion = 19;

}    // namespace

BoostInputArchive::BoostInputArchive(IntReader& in, unsigned flags) : common_iarchive(flags), in_(in), tracking_(in) {
    const int newest = static_cast<int>(get_library_version());
    const int version = in_.readInt();
    if (version < oldestLibraryVersion || version > newest) {
        in_.fail(fmt::format("a value written by Boost.Serialization with library version {} to {}", oldestLibraryVersion, newest),
                 fmt::format("{}", version));
    }
    set_library_version(boost::serialization::library_version_type(static_cast<unsigned>(version)));
}

void BoostInputArchive::register_basic_serializer(const boost::archive::detail::basic_iserializer& serializer) {
    tracking_.addClass(serializer);
    common_iarchive::register_basic_serializer(serializer);
}

void BoostInputArchive::load_object(void* object, const boost::archive::detail::basic_iserializer& serializer) {
    if (tracking_.beginsPointee(object, serializer)) {
        common_iarchive::load_object(object, serializer);
        return;
    }
    tracking_.addClass(serializer);
    detail::BoostTracking::Frame frame(tracking_);
    frame.serializer = &serializer;
    frame.address = object;
    common_iarchive::load_object(object, serializer);
}

const boost::archive::detail::basic_pointer_iserializer* BoostInputArchive::load_pointer(
    void*& pointer, const boost::archive::detail::basic_pointer_iserializer* expected, detail::BoostTracking::Finder finder) {
    pointer = nullptr;
    const boost::serialization::extended_type_info& pointerClass = *pointerClass_;
    detail::BoostTracking::Frame frame(tracking_);
    frame.pointer = &pointer;
    frame.expected = expected;
    frame.finder = finder;
    frame.owner = std::exchange(nextOwner_, detail::BoostOwner::None);
    try {
        const auto* found = common_iarchive::load_pointer(pointer, expected, finder);
        if (pointer != nullptr) tracking_.finishPointer(frame, *found, pointerClass);
        return found;
    } catch (...) {
        tracking_.abandonPointer(frame);
        throw;
    }
}

void BoostInputArchive::reset_object_address(const void* newAddress, const void* oldAddress) {
    tracking_.forgetAddresses();
    common_iarchive::reset_object_address(newAddress, oldAddress);
}

void BoostInputArchive::load_override(boost::archive::class_id_type& classNumber) {
    const std::int32_t number = in_.readInt();
    tracking_.checkClass(number);
    classNumber = boost::archive::class_id_type(static_cast<int>(number));
}

void BoostInputArchive::load_override(boost::archive::class_name_type& name) {
    const std::size_t length = in_.readPackedCount(8);
    if (length >= BOOST_SERIALIZATION_MAX_KEY_SIZE) {
        in_.fail(fmt::format("the name of a class, shorter than {}", BOOST_SERIALIZATION_MAX_KEY_SIZE),
                 fmt::format("{} characters", length));
    }
    char* const target = name;    // BOOST_SERIALIZATION_MAX_KEY_SIZE characters
    in_.readBytes(target, length);
    target[length] = '\0';
    tracking_.checkClassName(target);
}

void BoostInputArchive::load_override(boost::archive::tracking_type& tracking) {
    bool isTracked = false;
    in_ >> isTracked;
    tracking = boost::archive::tracking_type(isTracked);
}

void BoostInputArchive::load_override(boost::archive::version_type& version) {
    const auto number = static_cast<std::uint32_t>(in_.readInt());
    tracking_.checkVersion(number);
    version = boost::archive::version_type(number);
}

void BoostInputArchive::load_override(boost::archive::object_id_type& objectNumber) {
    const auto number = static_cast<std::uint32_t>(in_.readInt());
    tracking_.checkObject(number);
    objectNumber = boost::archive::object_id_type(std::size_t{number});
}

void BoostInputArchive::load_override(boost::serialization::item_version_type& version) {
    version = boost::serialization::item_version_type(static_cast<std::uint32_t>(in_.readInt()));
}

void BoostInputArchive::load_override(boost::serialization::collection_size_type& count) {
    if (isBucketCountNext_) {
        // The number of buckets is only a hint. No other count is followed by fewer elements than it states.
        isBucketCountNext_ = false;
        const std::int32_t buckets = in_.readInt();
        const std::size_t most = 2 * hashedCount_ + 16;
        if (buckets < 0) in_.readInt64();
        count = boost::serialization::collection_size_type(buckets < 0 ? most : std::min(static_cast<std::size_t>(buckets), most));
        return;
    }
    const detail::BoostElements elements = std::exchange(elements_, detail::BoostElements());
    const std::size_t number = elements.bits == 0 ? in_.readCount(0) : in_.readPackedCount(elements.bits);
    in_.charge(number, elements.bytes);
    if (elements.isRoomy()) in_.chargeRoomy(number, elements.bytes);
    isBucketCountNext_ = elements.areHashed;
    hashedCount_ = number;
    count = boost::serialization::collection_size_type(number);
}

void BoostInputArchive::loadLongDouble(long double& value) {
    std::byte bytes[sizeof(long double)];
    in_.readBytes(bytes, sizeof(bytes));
    std::memcpy(&value, bytes, sizeof(value));
}

void BoostInputArchive::loadBools(bool* values, std::size_t count) {
    std::string bytes(count, '\0');
    in_.readBytes(bytes.data(), count);
    if (bytes.find_first_not_of(std::string_view("\0\1", 2)) != std::string::npos) in_.fail("bools (0 or 1)", "other bytes");
    std::copy(bytes.begin(), bytes.end(), values);
}

void BoostInputArchive::failTooDeep() const { in_.fail(fmt::format("objects nested at most {} deep", maxDepth_), "more"); }

void BoostInputArchive::failRefused(const boost::archive::archive_exception& error) const {
    throw SerializationError(fmt::format("Boost.Serialization refuses to read: {}", error.what()), in_.position());
}

}    // namespace ferry
