#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <typeindex>
#include <typeinfo>
#include <unordered_map>
#include <utility>
#include <vector>

#include <ferry/serialization/ints/IntSerializableObject.hpp>
#include <ferry/serialization/ints/OwnerLevels.hpp>

// Objects behind shared_ptr and weak_ptr, numbered from 1 in the order in which a message meets them (docs/wire-format.md).

namespace ferry {

class IntReader;
class IntWriter;

namespace detail {

/// The shared objects that a writer has met. Keeps them alive, so that an address stands for one object only.
class WrittenShares {
public:
    struct Visit {
        std::int32_t number = 0;
        bool isFirst = false;
    };

    /// The number of the object at this address (of its most derived part), new or known.
    Visit visit(std::shared_ptr<const void> object, const std::type_info& type);
    /// To be called before the contents of a new object are written, and with what it returned when they are.
    /// Errors: UsageError for objects that own each other in a chain which readers refuse.
    OwnerLevels::Begun begin(const IntWriter& out) noexcept;
    void complete(const IntWriter& out, std::int32_t number, const OwnerLevels::Begun& levels);
    /// Notes that the object being written owns an object that was met before. Errors: UsageError when that object is not complete, and so
    /// owns itself.
    void noteOwned(const IntWriter& out, std::int32_t number, const std::type_info& type);

private:
    struct Key {
        const void* address;
        std::type_index type;
        bool operator==(const Key&) const = default;
    };
    struct HashKey {
        std::size_t operator()(const Key& key) const noexcept;
    };
    struct Object {
        std::shared_ptr<const void> keptAlive;
        std::size_t height = 0;    // as in ReadShares::Share; 0 until it is complete
    };

    std::unordered_map<Key, std::int32_t, HashKey> numbers_;
    std::vector<Object> objects_;
    OwnerLevels levels_;
};

/// The shared objects that a reader has made. Holds them until the reader is gone.
class ReadShares {
public:
    struct Share {
        std::shared_ptr<IntSerializableObject> object;    // exactly one of these two is set
        std::shared_ptr<void> plain;
        const std::type_info* plainType = nullptr;
        bool isComplete = false;
        std::uint32_t height = 0;    // levels of objects that are destroyed inside it, itself included; set when it is complete
    };

    /// The share with this positive number. Throws SerializationError when there is none.
    const Share& at(const IntReader& in, std::int32_t number) const;
    /// Throws SerializationError unless this negative number announces the next share.
    void checkNew(const IntReader& in, std::int32_t announced) const;
    /// Returns the place of the new share.
    std::size_t add(std::int32_t number, Share share) {
        shares_.push_back({number, std::move(share)});
        return shares_.size() - 1;
    }

    /// To be called before a new share is read, and with what it returned when that is complete. Throws SerializationError for shares that
    /// own each other in a chain which is longer than the limit: it would be destroyed by recursion.
    OwnerLevels::Begun begin(const IntReader& in) noexcept;
    void complete(const IntReader& in, std::size_t place, const OwnerLevels::Begun& levels);
    /// The object that is being read owns a share that was read before.
    void noteOwned(const IntReader& in, const Share& share) noexcept;

    /// Forgets all but so many of the first.
    void truncate(std::size_t count) noexcept { shares_.erase(shares_.begin() + static_cast<std::ptrdiff_t>(count), shares_.end()); }

    /// Ints were skipped unread, in which other shares may have been announced.
    void noteSkipped() noexcept { hasSkipped_ = true; }

private:
    struct Numbered {
        std::int32_t number;
        Share share;
    };

    std::int32_t lastNumber() const noexcept { return shares_.empty() ? 0 : shares_.back().number; }

    std::vector<Numbered> shares_;    // by number, which begin with 1 and leave no gap unless something was skipped
    bool hasSkipped_ = false;
    OwnerLevels levels_;
};

/// Throws SerializationError: the share with this number is no object of the type that is expected here.
[[noreturn]] void failWrongShare(const IntReader& in, std::int32_t number, const std::type_info& expected, const ReadShares::Share& share);

}    // namespace detail

}    // namespace ferry
