#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>

#include <ferry/connector/transport/OfferedArrays.hpp>
#include <ferry/serialization/ints/IntBuffer.hpp>

namespace ferry::detail {

/// The arrays of a packet between threads. They lie where their sender keeps them, and the receiver copies them from there.
///
/// No array lies in blocks at the sender.
/// Ownership: shares the holder of the arrays, until the object ends. Threads: made by the sender, used by the receiver.
class ThreadArrays final : public OfferedArrays {
public:
    /// lent: the packet. whole: gets the ints of the packet, with room for its arrays. onEnd: called when the arrays are needed no more.
    ThreadArrays(IntBuffer lent, std::shared_ptr<const void> holder, IntBuffer& whole, std::function<void()> onEnd);
    ~ThreadArrays() override;

    bool open() override { return true; }
    bool areAllFetched() const noexcept override { return fetchedCount_ == lent_.loans().size(); }

    bool isAt(const std::int32_t* place) const noexcept override { return find(place) != nullptr; }
    std::size_t intCountAt(const std::int32_t* place) const override { return at(place).intCount; }
    void fetch(const std::int32_t* place, std::byte* target) override;
    void fetch(const std::int32_t* place, std::byte* firstElement, const BlockLayout& blocks) override;

    /// Copies all arrays to their places in the packet.
    void copyAll(IntBuffer& whole) const noexcept;

private:
    const IntBuffer::Loan* find(const std::int32_t* place) const noexcept;
    const IntBuffer::Loan& at(const std::int32_t* place) const;

    IntBuffer lent_;
    std::shared_ptr<const void> holder_;
    const std::int32_t* const ints_;    ///< the ints of the packet, which stay in place when its buffer is moved
    std::function<void()> onEnd_;
    std::size_t fetchedCount_ = 0;
};

}    // namespace ferry::detail
