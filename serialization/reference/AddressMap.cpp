#include <ferry/serialization/reference/AddressMap.hpp>

#include <new>
#include <utility>

namespace ferry::detail {

namespace {
constexpr std::size_t FirstEntries = 64;
}

NumberPages::NumberPages() : directory_(FirstEntries), mask_(FirstEntries - 1) {}

/// Returns the index of the key in the directory, or the index of the free entry for it.
std::size_t NumberPages::placeOf(std::uintptr_t key) const noexcept {
    std::uintptr_t place = key & mask_;
    while (directory_[place].key != key && directory_[place].key != NoKey) place = (place + 1) & mask_;
    return place;
}

std::uint32_t* NumberPages::pageFor(std::uintptr_t key) {
    if (const Entry& known = directory_[placeOf(key)]; known.key == key) return known.page;
    if ((pages_.size() + 1) * 2 > directory_.size()) enlarge();
    pages_.emplace_back();    // first, so that the page has its owner at once
    pages_.back().reset(static_cast<std::uint32_t*>(std::calloc(std::size_t{1} << PageBits, sizeof(std::uint32_t))));
    if (pages_.back() == nullptr) {
        pages_.pop_back();
        throw std::bad_alloc();
    }
    directory_[placeOf(key)] = {key, pages_.back().get()};
    return pages_.back().get();
}

void NumberPages::enlarge() {
    std::vector<Entry> former(directory_.size() * 2);
    std::swap(former, directory_);
    mask_ = directory_.size() - 1;
    for (const Entry& entry : former) {
        if (entry.key != NoKey) directory_[placeOf(entry.key)] = entry;
    }
}

}    // namespace ferry::detail
