#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <typeinfo>
#include <utility>
#include <vector>

#include <ferry/serialization/ints/IntSerializableObject.hpp>
#include <ferry/serialization/ints/OwnerLevels.hpp>
#include <ferry/serialization/ints/SoleOwner.hpp>

// Objects behind shared_ptr and weak_ptr. A message numbers them from 1 in the order of their first appearance (docs/wire-format.md).

namespace ferry {

class IntReader;
class IntWriter;

namespace detail {

/// The shared objects that a writer has met. Keeps them alive, so that an address stands for one object only.
class WrittenShares {
public:
    WrittenShares();
    WrittenShares(const WrittenShares&) = delete;
    WrittenShares& operator=(const WrittenShares&) = delete;
    ~WrittenShares();

    struct Visit {
        std::int32_t number = 0;
        bool isFirst = false;
    };

    /// Returns the number of the object at this address (of its most derived part). A new object gets the next number.
    Visit visit(std::shared_ptr<const void> object, const std::type_info& type);
    /// begin() is called before the contents of a new object are written. complete() is called after them, with the result of begin().
    /// Errors: UsageError when objects own each other in a chain that readers refuse.
    OwnerLevels::Begun begin(const IntWriter& out) noexcept;
    void complete(const IntWriter& out, std::int32_t number, const OwnerLevels::Begun& levels);
    /// Notes that the value being written owns an object that was met before. Errors: UsageError when that object is not complete, because
    /// it then owns itself.
    void noteOwned(const IntWriter& out, std::int32_t number, const std::type_info& type);

private:
    struct Numbers;
    struct Object {
        std::shared_ptr<const void> keptAlive;
        std::size_t height = 0;    // as in ReadShares::Share; 0 until the object is complete
    };

    const SoleOwner<Numbers> numbers_;    ///< by address and type
    std::vector<Object> objects_;
    OwnerLevels levels_;
};

/// The shared objects that a reader has made. Holds them until the reader is destroyed.
class ReadShares {
public:
    struct Share {
        std::shared_ptr<IntSerializableObject> object;    // exactly one of object and plain is set
        std::shared_ptr<void> plain;
        const std::type_info* plainType = nullptr;
        bool isComplete = false;
        std::uint32_t height = 0;    // levels of objects that are destroyed inside it, itself included; set when it is complete
    };

    /// The share with this positive number. Throws SerializationError when there is none.
    const Share& at(const IntReader& in, std::int32_t number) const;
    /// Throws SerializationError unless this negative number announces the next new share.
    void checkNew(const IntReader& in, std::int32_t announced) const;
    /// Adds a share and returns its index.
    std::size_t add(std::int32_t number, Share share);

    /// begin() is called before a new share is read. complete() is called after it, with the result of begin(). complete() throws
    /// SerializationError when shares own each other in a chain longer than the limit, because such a chain is destroyed by recursion.
    OwnerLevels::Begun begin(const IntReader& in) noexcept;
    void complete(const IntReader& in, std::size_t place, const OwnerLevels::Begun& levels);
    /// Notes that the object being read owns a share that was read before.
    void noteOwned(const IntReader& in, const Share& share) noexcept;

    /// Keeps the first `count` shares and forgets the others.
    void truncate(std::size_t count) noexcept;

    /// Notes that ints were skipped unread. The skipped ints may have announced other shares.
    void noteSkipped() noexcept { hasSkipped_ = true; }

private:
    struct Numbered {
        std::int32_t number;
        Share share;
    };

    std::int32_t lastNumber() const noexcept;

    std::vector<Numbered> shares_;    // sorted by number; numbers start at 1 and have gaps only if ints were skipped
    bool hasSkipped_ = false;
    OwnerLevels levels_;
};

/// Throws SerializationError: the share with this number is no object of the expected type.
[[noreturn]] void failWrongShare(const IntReader& in, std::int32_t number, const std::type_info& expected, const ReadShares::Share& share);

}    // namespace detail

}    // namespace ferry
