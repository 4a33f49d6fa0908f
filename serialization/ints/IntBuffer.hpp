#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include <ferry/serialization/ints/BlockLayout.hpp>

namespace ferry {

/// A growable sequence of 32-bit ints: what objects become, and what travels. A list of segments: its own ints, and between them arrays
/// that it borrows from the objects that were written (IntWriter::lend).
///
/// Ownership: owns its own ints. A borrowed array belongs to whoever lent it, who keeps it in place and unchanged until the buffer is
///            cleared, owns the array's ints (makeOwned) or is gone. Copies are deep and own everything; moving leaves the source empty.
/// Threads: one at a time.
/// Errors: std::bad_alloc when memory runs out; the buffer is then unchanged.
class IntBuffer {
public:
    /// Neighbouring ints of the stream. The bytes of a borrowed one may lie at any address.
    struct Segment {
        const std::byte* bytes = nullptr;
        std::size_t intCount = 0;
        bool isBorrowed = false;
    };
    /// An array that is borrowed.
    struct Loan {
        std::size_t ownBefore = 0;    ///< number of own ints before it
        const std::byte* bytes = nullptr;
        std::size_t intCount = 0;
        std::unique_ptr<const BlockLayout> blocks{};    ///< from bytes on; null: it lies in one piece

        void copyTo(std::byte* target) const noexcept {
            if (blocks == nullptr) {
                std::memcpy(target, bytes, intCount * sizeof(std::int32_t));
            } else {
                blocks->gather(bytes, target);
            }
        }
    };

    IntBuffer() noexcept = default;
    explicit IntBuffer(std::span<const std::int32_t> ints);
    IntBuffer(const IntBuffer& other);
    IntBuffer(IntBuffer&& other) noexcept
        : data_(std::move(other.data_)),
          size_(std::exchange(other.size_, 0)),
          capacity_(std::exchange(other.capacity_, 0)),
          borrowed_(std::move(other.borrowed_)) {}
    IntBuffer& operator=(const IntBuffer& other);
    IntBuffer& operator=(IntBuffer&& other) noexcept {
        data_ = std::move(other.data_);
        size_ = std::exchange(other.size_, 0);
        capacity_ = std::exchange(other.capacity_, 0);
        borrowed_ = std::move(other.borrowed_);
        return *this;
    }
    ~IntBuffer() = default;

    /// Number of ints held, borrowed ones included.
    std::size_t size() const noexcept { return size_ + borrowedInts(); }
    bool isEmpty() const noexcept { return size() == 0; }
    bool hasBorrowed() const noexcept { return borrowed_ != nullptr; }
    /// Number of own ints that fit without another allocation.
    std::size_t capacity() const noexcept { return capacity_; }

    /// The buffer's own ints.
    std::int32_t* data() noexcept { return data_.get(); }
    const std::int32_t* data() const noexcept { return data_.get(); }
    std::size_t ownSize() const noexcept { return size_; }

    /// All ints in one piece. Errors: std::logic_error when some are borrowed: they lie elsewhere (segments(), makeOwned()).
    std::span<const std::int32_t> ints() const {
        if (borrowed_ != nullptr) [[unlikely]] {
            failBorrowed();
        }
        return {data_.get(), size_};
    }
    /// All ints in the order of the stream; no segment is empty. Valid until the buffer is changed.
    std::vector<Segment> segments() const;
    /// The borrowed pieces, in the order of the stream. Valid until the buffer is changed.
    std::span<const Loan> loans() const noexcept;
    /// Copies all ints, size() of them, to one place.
    void copyTo(std::int32_t* target) const noexcept;

    /// Forgets the ints, gives back what was borrowed, and keeps the memory for the next use.
    void clear() noexcept {
        size_ = 0;
        borrowed_.reset();
    }
    /// Makes room for this many own ints in all. Never shrinks.
    void reserve(std::size_t capacityInts);
    /// Sets the number of own ints. What lay there before stays; new ints hold anything until they are written.
    void resizeUninitialized(std::size_t sizeInts) {
        if (sizeInts > capacity_) reserve(sizeInts);
        size_ = sizeInts;
    }
    /// Sets the number of own ints to one that capacity() covers.
    void resizeWithin(std::size_t sizeInts) noexcept { size_ = sizeInts; }
    void append(std::span<const std::int32_t> ints);
    /// Appends ints that stay where they are.
    void borrow(const std::byte* bytes, std::size_t intCount);
    /// Appends ints that stay where they are, in blocks, with the first element at this address.
    void borrow(const std::byte* firstElement, BlockLayout blocks);
    /// Copies what is borrowed, so that nobody else's memory is needed any more.
    void makeOwned();

    friend bool operator==(const IntBuffer& left, const IntBuffer& right);

private:
    struct Free {
        void operator()(std::int32_t* ints) const noexcept { std::free(ints); }
    };
    struct Borrowed {
        std::vector<Loan> loans;
        std::size_t intCount = 0;
    };
    /// Not inline: buffers come and go with every message, and few of them borrow.
    struct DeleteBorrowed {
        void operator()(Borrowed* borrowed) const noexcept;
    };

    void add(Loan loan);
    std::size_t borrowedInts() const noexcept { return borrowed_ != nullptr ? borrowed_->intCount : 0; }
    [[noreturn]] static void failBorrowed();

    std::unique_ptr<std::int32_t[], Free> data_;
    std::size_t size_ = 0;
    std::size_t capacity_ = 0;
    std::unique_ptr<Borrowed, DeleteBorrowed> borrowed_;    // null: nothing is borrowed
};

}    // namespace ferry
