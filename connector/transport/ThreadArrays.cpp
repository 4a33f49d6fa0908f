#include <ferry/connector/transport/ThreadArrays.hpp>

#include <cstring>
#include <utility>

#include <ferry/serialization/exception/xassert.hpp>

namespace ferry::detail {

namespace {

/// Makes room for all ints of the packet, and writes those outside of its arrays. Memory that nobody writes to costs addresses only.
const std::int32_t* makeWhole(const IntBuffer& lent, IntBuffer& whole) {
    whole.resizeUninitialized(lent.size());
    std::int32_t* target = whole.data();
    for (const IntBuffer::Segment& segment : lent.segments()) {
        if (!segment.isBorrowed) std::memcpy(target, segment.bytes, segment.intCount * sizeof(std::int32_t));
        target += segment.intCount;
    }
    return whole.data();
}

}    // namespace

ThreadArrays::ThreadArrays(IntBuffer lent, std::shared_ptr<const void> holder, IntBuffer& whole, std::function<void()> onEnd)
    : lent_(std::move(lent)),
      holder_(std::move(holder)),
      ints_(makeWhole(lent_, whole)),
      onEnd_(std::move(onEnd)) {}

ThreadArrays::~ThreadArrays() {
    holder_.reset();
    onEnd_();
}

void ThreadArrays::fetch(const std::int32_t* place, std::byte* target) {
    at(place).copyTo(target);
    ++fetchedCount_;
}

void ThreadArrays::fetch(const std::int32_t* place, std::byte* firstElement, const BlockLayout& blocks) {
    const std::byte* source = at(place).bytes;
    blocks.forEachRun([&](std::ptrdiff_t offset, std::size_t bytes) {
        std::memcpy(firstElement + offset, source, bytes);
        source += bytes;
    });
    ++fetchedCount_;
}

void ThreadArrays::copyAll(IntBuffer& whole) const noexcept {
    std::size_t borrowedBefore = 0;
    for (const IntBuffer::Loan& array : lent_.loans()) {
        array.copyTo(reinterpret_cast<std::byte*>(whole.data() + array.ownBefore + borrowedBefore));
        borrowedBefore += array.intCount;
    }
}

const IntBuffer::Loan* ThreadArrays::find(const std::int32_t* place) const noexcept {
    const auto offset = static_cast<std::size_t>(place - ints_);
    std::size_t borrowedBefore = 0;
    for (const IntBuffer::Loan& array : lent_.loans()) {
        if (array.ownBefore + borrowedBefore == offset) return &array;
        borrowedBefore += array.intCount;
    }
    return nullptr;
}

const IntBuffer::Loan& ThreadArrays::at(const std::int32_t* place) const {
    const IntBuffer::Loan* const array = find(place);
    xassert(array != nullptr);
    return *array;
}

}    // namespace ferry::detail
