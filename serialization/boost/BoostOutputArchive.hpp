#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <type_traits>

#include <boost/archive/archive_exception.hpp>
#include <boost/archive/detail/common_oarchive.hpp>
#include <boost/archive/detail/register_archive.hpp>
#include <boost/serialization/array_optimization.hpp>
#include <boost/serialization/array_wrapper.hpp>

#include <ferry/serialization/Codec.hpp>
#include <ferry/serialization/boost/BoostTypes.hpp>

namespace ferry {

/// A saving archive of Boost.Serialization that appends to an IntWriter: `archive << object`, as with boost::archive::binary_oarchive.
/// Boost itself does tracking, versions and exported classes. Objects that are tracked together must be in one archive.
///
/// Ownership: borrows the writer, which must outlive the archive.
/// Errors: UsageError for values that Boost refuses (the text gives the reason: an unregistered class, ...), and for objects nested too
///         deep.
class BoostOutputArchive final : public boost::archive::detail::common_oarchive<BoostOutputArchive> {
public:
    explicit BoostOutputArchive(IntWriter& out, unsigned flags = 0);

    /// Sets how deep objects may be nested in each other. Deeper objects are refused, because they would overflow the stack. Readers have a
    /// limit too.
    void setMaxDepth(std::size_t maxDepth) noexcept { maxDepth_ = maxDepth; }

    void save_binary(const void* bytes, std::size_t byteCount) { out_.writeBytes(bytes, byteCount); }

    // The functions below are called by Boost.

    struct use_array_optimization {
        template <class T>
        struct apply : boost::serialization::is_bitwise_serializable<T> {};
    };
    template <class T>
    void save_array(const boost::serialization::array_wrapper<T>& values, unsigned /*version*/) {
        out_.writeBytes<detail::boostGrainBytes<T>>(values.address(), values.count() * sizeof(T));
    }

    template <class T>
    void save_override(const T& value) {
        if constexpr (std::is_same_v<T, long double>) {
            saveLongDouble(value);
        } else if constexpr (std::is_arithmetic_v<T> || detail::BoostText<T>) {
            out_ << value;
        } else if constexpr (detail::BoostNumber<T>) {
            out_.writeInt(static_cast<std::int32_t>(static_cast<std::int64_t>(value)));
        } else if constexpr (std::is_same_v<T, boost::serialization::collection_size_type>) {
            out_.writeCount(value);
        } else if constexpr (std::is_same_v<T, boost::archive::class_name_type>) {
            out_ << std::string_view(static_cast<const char*>(value));
        } else if constexpr (std::is_same_v<T, boost::archive::class_id_optional_type>) {
            // Not written, because the reader knows the class without it.
        } else if constexpr (detail::isBoostNamedValue<T>) {
            save_override(value.const_value());
        } else if constexpr (std::is_class_v<T>) {
            const Level level(*this);
            saveAny(value);
        } else {
            saveAny(value);
        }
    }

    /// For types that declare themselves primitive.
    template <class T>
    void save(const T& value) {
        static_assert(std::is_trivially_copyable_v<T>, "ferry: a type that is primitive to Boost is copied byte by byte");
        out_.writeBytes(std::addressof(value), sizeof(T));
    }

private:
    /// Counts one level of nesting during its lifetime.
    class Level {
    public:
        explicit Level(BoostOutputArchive& archive) : archive_(archive) {
            if (archive.depth_ == archive.maxDepth_) [[unlikely]] {
                archive.failTooDeep();
            }
            ++archive.depth_;
        }
        ~Level() { --archive_.depth_; }
        Level(const Level&) = delete;
        Level& operator=(const Level&) = delete;

    private:
        BoostOutputArchive& archive_;
    };

    template <class T>
    void saveAny(const T& value) {
        try {
            common_oarchive::save_override(value);
        } catch (const boost::archive::archive_exception& error) {
            failRefused(error);
        }
    }

    void saveLongDouble(long double value);
    [[noreturn]] void failTooDeep() const;
    [[noreturn]] static void failRefused(const boost::archive::archive_exception& error);

    IntWriter& out_;
    std::size_t depth_ = 0;
    std::size_t maxDepth_ = detail::boostDepth;
};

}    // namespace ferry

BOOST_SERIALIZATION_REGISTER_ARCHIVE(ferry::BoostOutputArchive)
BOOST_SERIALIZATION_USE_ARRAY_OPTIMIZATION(ferry::BoostOutputArchive)
