#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>

#include <boost/archive/archive_exception.hpp>
#include <boost/archive/detail/common_iarchive.hpp>
#include <boost/archive/detail/register_archive.hpp>
#include <boost/serialization/array_optimization.hpp>
#include <boost/serialization/array_wrapper.hpp>
#include <boost/serialization/singleton.hpp>
#include <boost/serialization/type_info_implementation.hpp>

#include <ferry/serialization/Codec.hpp>
#include <ferry/serialization/boost/BoostTracking.hpp>
#include <ferry/serialization/boost/BoostTypes.hpp>

namespace ferry {

/// A loading archive of Boost.Serialization. Reads from an IntReader the data that BoostOutputArchive wrote: `archive >> object`, as with
/// boost::archive::binary_iarchive. Boost itself does tracking, versions and exported classes.
///
/// Safe on any input, as far as Boost's loaders allow it. Numbers of elements, classes, versions and objects are checked before Boost sees
/// them. An object number names only an object of the class that the stream states. No object gets two smart pointers that both delete it,
/// and no object owns itself.
/// Two cases are not covered. A class may delete the objects behind its raw pointers, and a forged stream may give two of these the same
/// object. And a class's own load function may misuse the values that it gets.
///
/// Ownership: borrows the reader, which must outlive the archive.
/// Errors: SerializationError, with the position. An exception of a class's own load function passes through. The target then holds a part
///         of the data, and the archive cannot continue. Objects behind raw pointers that were read completely stay, as with Boost.
///         delete_created_pointers() frees them.
class BoostInputArchive final : public boost::archive::detail::common_iarchive<BoostInputArchive> {
public:
    explicit BoostInputArchive(IntReader& in, unsigned flags = 0);

    /// Sets how deep objects may be nested in each other. Deeper objects are refused, because they would overflow the stack.
    void setMaxDepth(std::size_t maxDepth) noexcept { maxDepth_ = maxDepth; }

    /// Allows objects behind shared pointers to own each other in a cycle. By default cycles are refused, because they would never be
    /// freed.
    void allowSharedCycles() noexcept { tracking_.allowSharedCycles(); }

    void load_binary(void* bytes, std::size_t byteCount) { in_.readBytes(bytes, byteCount); }
    /// Destroys the objects that were read through raw pointers. Do not use these objects afterwards.
    void delete_created_pointers() { tracking_.destroyUnowned(); }

    // The functions below are called by Boost. These functions hide those of basic_iarchive. Boost calls them on the archive's own class.

    struct use_array_optimization {
        template <class T>
        struct apply : boost::serialization::is_bitwise_serializable<T> {};
    };
    template <class T>
    void load_array(const boost::serialization::array_wrapper<T>& values, unsigned /*version*/) {
        if constexpr (std::is_same_v<T, bool>) {
            loadBools(values.address(), values.count());
        } else {
            in_.readBytes<detail::boostGrainBytes<T>>(static_cast<void*>(values.address()), values.count() * sizeof(T));
        }
    }

    void register_basic_serializer(const boost::archive::detail::basic_iserializer& serializer);
    void load_object(void* object, const boost::archive::detail::basic_iserializer& serializer);
    const boost::archive::detail::basic_pointer_iserializer* load_pointer(void*& pointer,
                                                                          const boost::archive::detail::basic_pointer_iserializer* expected,
                                                                          detail::BoostTracking::Finder finder);
    void reset_object_address(const void* newAddress, const void* oldAddress);

    template <class T>
    void load_override(T& value) {
        if constexpr (std::is_same_v<T, long double>) {
            loadLongDouble(value);
        } else if constexpr (std::is_arithmetic_v<T> || detail::BoostText<T>) {
            in_ >> value;
            if constexpr (std::is_same_v<T, int>) checkIndex(value);
        } else if constexpr (detail::isBoostNamedValue<std::remove_const_t<T>>) {
            load_override(value.value());
        } else if constexpr (std::is_class_v<T>) {
            const Level level(*this);
            loadAny(value);
        } else {
            loadAny(value);
        }
    }
    void load_override(boost::archive::class_id_type& classNumber);
    void load_override(boost::archive::class_id_optional_type& /*classNumber*/) {}
    void load_override(boost::archive::class_name_type& name);
    void load_override(boost::archive::tracking_type& tracking);
    void load_override(boost::archive::version_type& version);
    void load_override(boost::archive::object_id_type& objectNumber);
    void load_override(boost::serialization::item_version_type& version);
    void load_override(boost::serialization::collection_size_type& count);

    /// For types that declare themselves primitive.
    template <class T>
    void load(T& value) {
        static_assert(std::is_trivially_copyable_v<T>, "ferry: a type that is primitive to Boost is copied byte by byte");
        in_.readBytes(std::addressof(value), sizeof(T));
    }

private:
    friend class boost::archive::detail::interface_iarchive<BoostInputArchive>;    // for get_helper_collection

    /// Counts one level of nesting during its lifetime.
    class Level {
    public:
        explicit Level(BoostInputArchive& archive) : archive_(archive) {
            if (archive.depth_ == archive.maxDepth_) [[unlikely]] {
                archive.failTooDeep();
            }
            ++archive.depth_;
        }
        ~Level() { --archive_.depth_; }
        Level(const Level&) = delete;
        Level& operator=(const Level&) = delete;

    private:
        BoostInputArchive& archive_;
    };

    template <class T>
    void loadAny(T& value) {
        if constexpr (std::is_pointer_v<T>) {
            using Pointee = std::remove_cv_t<std::remove_pointer_t<T>>;
            using Type = typename boost::serialization::type_info_implementation<Pointee>::type;
            pointerClass_ = &boost::serialization::singleton<Type>::get_const_instance();
        } else {
            // A weak pointer is read by means of a shared one.
            constexpr detail::BoostOwner owner = detail::boostOwner<T>;
            const bool isOfWeak = owner == detail::BoostOwner::Shared && nextOwner_ == detail::BoostOwner::Weak;
            nextOwner_ = isOfWeak ? detail::BoostOwner::Weak : owner;
            elements_ = detail::boostElementsOf<T>();
            isIndexNext_ = detail::BoostVariant<T>;
            tracking_.noteConstructed(std::addressof(value), sizeof(T));
        }
        try {
            common_iarchive::load_override(value);
        } catch (const boost::archive::archive_exception& error) {
            failRefused(error);
        }
    }

    /// Checks the index of a variant's alternative. Boost checks only that it is not too large.
    void checkIndex(int index) {
        if (std::exchange(isIndexNext_, false) && index < 0) in_.fail("the index of an alternative", "a negative one");
    }
    void loadLongDouble(long double& value);
    void loadBools(bool* values, std::size_t count);
    [[noreturn]] void failTooDeep() const;
    [[noreturn]] void failRefused(const boost::archive::archive_exception& error) const;

    IntReader& in_;
    detail::BoostTracking tracking_;
    std::size_t depth_ = 0;
    std::size_t maxDepth_ = detail::boostDepth;
    // Information from the value that is being read, about the pointer or number that Boost reads next for it.
    const boost::serialization::extended_type_info* pointerClass_ = nullptr;
    detail::BoostOwner nextOwner_ = detail::BoostOwner::None;
    detail::BoostElements elements_;
    std::size_t hashedCount_ = 0;
    bool isBucketCountNext_ = false;
    bool isIndexNext_ = false;
};

}    // namespace ferry

BOOST_SERIALIZATION_REGISTER_ARCHIVE(ferry::BoostInputArchive)
BOOST_SERIALIZATION_USE_ARRAY_OPTIMIZATION(ferry::BoostInputArchive)
