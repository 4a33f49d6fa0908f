#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <vector>

namespace ferry::detail {

/// Pages of numbers. The high bits of a place are the key of its page.
///
/// Errors: std::bad_alloc. All earlier numbers are kept.
class NumberPages {
public:
    static constexpr unsigned PageBits = 12;
    static constexpr std::uintptr_t PlaceMask = (std::uintptr_t{1} << PageBits) - 1;
    static constexpr std::uintptr_t NoKey = ~std::uintptr_t{0};    // no place has this key: places are addresses without their last bits

    NumberPages();

    std::uint32_t& at(std::uintptr_t place) { return pageOf(place >> PageBits)[place & PlaceMask]; }

    std::uint32_t* pageOf(std::uintptr_t key) {
        const Entry& entry = directory_[key & mask_];
        return entry.key == key ? entry.page : pageFor(key);
    }

    /// The number at this place. 0 if there is no page.
    std::uint32_t find(std::uintptr_t place) const noexcept {
        const Entry& entry = directory_[placeOf(place >> PageBits)];
        return entry.page != nullptr ? entry.page[place & PlaceMask] : 0;
    }

private:
    struct Entry {
        std::uintptr_t key = NoKey;
        std::uint32_t* page = nullptr;
    };
    struct Free {
        void operator()(std::uint32_t* page) const noexcept { std::free(page); }
    };

    std::uint32_t* pageFor(std::uintptr_t key);
    void enlarge();
    std::size_t placeOf(std::uintptr_t key) const noexcept;

    std::vector<Entry> directory_;    // open addressing; the entries of neighbouring pages are neighbours
    std::uintptr_t mask_;
    std::vector<std::unique_ptr<std::uint32_t[], Free>> pages_;
};

/// Numbers objects of one type by their addresses. Objects that lie near each other are usually visited shortly after each other. So the
/// numbers are kept in pages of slots in the order of addresses. Such pages need no hashing, and neighbours share a cache line.
///
/// ObjectBytes: the size of the objects; two objects never share a slot. Use only addresses at which an object begins. Memory: each page
/// covers 4096 slots and takes 4 bytes for each slot. A slot covers ObjectBytes bytes, rounded down to a power of two. Only pages with
/// objects exist.
template <std::size_t ObjectBytes>
class AddressMap {
public:
    /// The number of the object at this address. 0 until it is set.
    std::uint32_t& numberOf(const void* object) { return pages_.at(reinterpret_cast<std::uintptr_t>(object) >> Shift); }
    /// The number of the object at this address. 0 if it has none.
    std::uint32_t find(const void* object) const noexcept { return pages_.find(reinterpret_cast<std::uintptr_t>(object) >> Shift); }

    /// Looks up many objects and remembers the page of the last one. During this series, the map must not be used in another way.
    class Series {
    public:
        explicit Series(AddressMap& map) noexcept : pages_(map.pages_) {}
        std::uint32_t& numberOf(const void* object) {
            const std::uintptr_t place = reinterpret_cast<std::uintptr_t>(object) >> Shift;
            const std::uintptr_t key = place >> detail::NumberPages::PageBits;
            if (key != key_) {
                page_ = pages_.pageOf(key);
                key_ = key;
            }
            return page_[place & detail::NumberPages::PlaceMask];
        }

    private:
        detail::NumberPages& pages_;
        std::uintptr_t key_ = detail::NumberPages::NoKey;
        std::uint32_t* page_ = nullptr;
    };

private:
    static constexpr unsigned Shift = static_cast<unsigned>(std::bit_width(ObjectBytes)) - 1;

    detail::NumberPages pages_;
};

}    // namespace ferry::detail
