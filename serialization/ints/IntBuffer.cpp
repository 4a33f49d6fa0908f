#include <ferry/serialization/ints/IntBuffer.hpp>

#include <algorithm>
#include <cstring>
#include <limits>
#include <new>
#include <stdexcept>
#include <utility>

namespace ferry {

void IntBuffer::DeleteBorrowed::operator()(Borrowed* borrowed) const noexcept { std::default_delete<Borrowed>()(borrowed); }

IntBuffer::IntBuffer(std::span<const std::int32_t> ints) { append(ints); }

IntBuffer::IntBuffer(const IntBuffer& other) {
    resizeUninitialized(other.size());
    other.copyTo(data());
}

IntBuffer& IntBuffer::operator=(const IntBuffer& other) {
    if (this != &other) {
        clear();
        resizeUninitialized(other.size());
        other.copyTo(data());
    }
    return *this;
}

std::vector<IntBuffer::Segment> IntBuffer::segments() const {
    std::vector<Segment> all;
    std::size_t begin = 0;
    const auto addOwn = [&](std::size_t end) {
        if (begin != end) all.push_back({reinterpret_cast<const std::byte*>(data_.get() + begin), end - begin, false});
        begin = end;
    };
    if (borrowed_ != nullptr) {
        for (const Loan& loan : borrowed_->loans) {
            addOwn(loan.ownBefore);
            if (loan.blocks == nullptr) {
                all.push_back({loan.bytes, loan.intCount, true});
            } else {
                loan.blocks->forEachRun([&](std::ptrdiff_t offset, std::size_t bytes) {
                    all.push_back({loan.bytes + offset, bytes / sizeof(std::int32_t), true});
                });
            }
        }
    }
    addOwn(size_);
    return all;
}

void IntBuffer::copyTo(std::int32_t* target) const noexcept {
    std::size_t begin = 0;
    const auto copyOwn = [&](std::size_t end) {
        if (begin != end) std::memcpy(target, data_.get() + begin, (end - begin) * sizeof(std::int32_t));
        target += end - begin;
        begin = end;
    };
    if (borrowed_ != nullptr) {
        for (const Loan& loan : borrowed_->loans) {
            copyOwn(loan.ownBefore);
            loan.copyTo(reinterpret_cast<std::byte*>(target));
            target += loan.intCount;
        }
    }
    copyOwn(size_);
}

std::span<const IntBuffer::Loan> IntBuffer::loans() const noexcept {
    return borrowed_ != nullptr ? std::span<const Loan>(borrowed_->loans) : std::span<const Loan>();
}

void IntBuffer::borrow(const std::byte* bytes, std::size_t intCount) { add({size_, bytes, intCount}); }

void IntBuffer::borrow(const std::byte* firstElement, detail::BlockLayout blocks) {
    const std::size_t intCount = blocks.intCount();
    add({size_, firstElement, intCount, std::make_unique<const detail::BlockLayout>(std::move(blocks))});
}

void IntBuffer::add(Loan loan) {
    if (loan.intCount == 0) return;
    auto made = borrowed_ == nullptr ? std::make_unique<Borrowed>() : nullptr;
    Borrowed& borrowed = made != nullptr ? *made : *borrowed_;
    const std::size_t intCount = loan.intCount;
    borrowed.loans.push_back(std::move(loan));
    borrowed.intCount += intCount;
    if (made != nullptr) borrowed_.reset(made.release());
}

void IntBuffer::makeOwned() {
    if (borrowed_ == nullptr) return;
    IntBuffer owned(*this);
    *this = std::move(owned);
}

void IntBuffer::failBorrowed() {
    throw std::logic_error("the ints of this buffer do not lie in one piece, because some are borrowed: see segments() and makeOwned()");
}

void IntBuffer::reserve(std::size_t capacityInts) {
    if (capacityInts <= capacity_) return;
    if (capacityInts > std::numeric_limits<std::size_t>::max() / sizeof(std::int32_t)) throw std::bad_alloc();
    // realloc keeps the ints and can move big blocks without copying them.
    void* grown = std::realloc(data_.get(), capacityInts * sizeof(std::int32_t));
    if (grown == nullptr) throw std::bad_alloc();
    static_cast<void>(data_.release());
    data_.reset(static_cast<std::int32_t*>(grown));
    capacity_ = capacityInts;
}

void IntBuffer::append(std::span<const std::int32_t> ints) {
    if (ints.empty()) return;
    const std::size_t oldSize = size_;
    if (ints.size() > capacity_ - size_) reserve(std::max(size_ + ints.size(), capacity_ + capacity_ / 2));
    std::memcpy(data_.get() + oldSize, ints.data(), ints.size_bytes());
    size_ = oldSize + ints.size();
}

bool operator==(const IntBuffer& left, const IntBuffer& right) {
    if (left.size() != right.size()) return false;
    if (left.hasBorrowed()) return IntBuffer(left) == right;
    if (right.hasBorrowed()) return left == IntBuffer(right);
    return std::equal(left.data(), left.data() + left.size_, right.data());
}

}    // namespace ferry
