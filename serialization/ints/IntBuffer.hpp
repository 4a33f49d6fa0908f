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
#include <ferry/serialization/ints/SoleOwner.hpp>

namespace ferry {

/// A growable sequence of 32-bit ints. Objects are written into such a buffer, and its ints travel. The buffer is a list of segments: its
/// own ints, and between them arrays borrowed from the written objects (IntWriter::lend).
///
/// Ownership: owns its own ints. A borrowed array belongs to its lender. The lender keeps the array in place and unchanged until the buffer
///            is cleared, owns the array's ints (makeOwned) or is destroyed. Copies are deep and own everything. Moving leaves the source
///            empty.
/// Threads: one at a time.
/// Errors: std::bad_alloc when memory runs out. The buffer is then unchanged.
class IntBuffer {
public:
    /// Neighbouring ints of the stream. The bytes of a borrowed segment may lie at any address.
    struct Segment {
        const std::byte* bytes = nullptr;
        std::size_t intCount = 0;
        bool isBorrowed = false;
    };
    /// A borrowed array.
    struct Loan {
        std::size_t ownBefore = 0;    ///< number of own ints before it
        const std::byte* bytes = nullptr;
        std::size_t intCount = 0;
        std::unique_ptr<const detail::BlockLayout> blocks{};    ///< relative to bytes; null: the array lies in one piece

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

    /// Returns all ints in one piece. Errors: std::logic_error when some ints are borrowed, because those lie elsewhere. Use segments() or
    /// makeOwned() then.
    std::span<const std::int32_t> ints() const {
        if (borrowed_ != nullptr) [[unlikely]] {
            failBorrowed();
        }
        return {data_.get(), size_};
    }
    /// All ints in the order of the stream; no segment is empty. Valid until the buffer is changed.
    std::vector<Segment> segments() const;
    /// Borrowed arrays in the order of the stream. Valid until the buffer is changed.
    std::span<const Loan> loans() const noexcept;
    /// Copies all size() ints to the target.
    void copyTo(std::int32_t* target) const noexcept;

    /// Forgets the ints and the loans. Keeps the memory for the next use.
    void clear() noexcept {
        size_ = 0;
        borrowed_.reset();
    }
    /// Makes room for at least capacityInts own ints. Never shrinks.
    void reserve(std::size_t capacityInts);
    /// Sets the number of own ints. Existing ints stay. New ints have no defined value until they are written.
    void resizeUninitialized(std::size_t sizeInts) {
        if (sizeInts > capacity_) reserve(sizeInts);
        size_ = sizeInts;
    }
    /// Like resizeUninitialized, for a number that is at most capacity().
    void resizeWithin(std::size_t sizeInts) noexcept { size_ = sizeInts; }
    void append(std::span<const std::int32_t> ints);
    /// Appends ints that stay at their address.
    void borrow(const std::byte* bytes, std::size_t intCount);
    /// Appends ints that stay in blocks. firstElement: the address of the first element.
    void borrow(const std::byte* firstElement, detail::BlockLayout blocks);
    /// Copies the borrowed arrays into the buffer, so that it no longer needs the lenders' memory.
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
    /// Not inline, because each message uses a buffer and few buffers borrow.
    struct DeleteBorrowed {
        void operator()(Borrowed* borrowed) const noexcept;
    };

    void add(Loan loan);
    std::size_t borrowedInts() const noexcept { return borrowed_ != nullptr ? borrowed_->intCount : 0; }
    [[noreturn]] static void failBorrowed();

    std::unique_ptr<std::int32_t[], Free> data_;
    std::size_t size_ = 0;
    std::size_t capacity_ = 0;
    detail::SoleOwner<Borrowed, DeleteBorrowed> borrowed_;    // null: nothing is borrowed
};

}    // namespace ferry
