// Should: whatever allocation fails while the table of classes grows, it keeps all its entries, and takes the new one later. Prints "ok".
#include <ferry/serialization/ints/ReadMostlyTable.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <new>
#include <vector>

#include <ferry/tests/support/ScarceMemory.hpp>

namespace {

using ferry::test::ScarceMemory;

struct Entry {
    std::uint32_t id;
    std::uint32_t hash() const noexcept { return id; }
    bool has(std::uint32_t other) const noexcept { return id == other; }
};

constexpr std::uint32_t Added = 31;    // the table grows for this entry

/// Adds entries while the allocation of this number fails. Returns whether the table is as it should be.
bool isRight(std::uint64_t number) {
    ferry::detail::ReadMostlyTable<Entry> table;
    for (std::uint32_t id = 0; id < Added; ++id) table.add({id});
    try {
        const ScarceMemory scarce(number, 1);
        table.add({Added});
    } catch (const std::bad_alloc&) {
        if (table.entries().size() != Added || table.find(Added, Added) != nullptr) return false;
        const std::vector<std::vector<std::uint64_t>> elsewhere(4, std::vector<std::uint64_t>(128));    // takes the memory that was freed
        for (std::uint32_t id = 0; id < Added; ++id) {
            if (const Entry* found = table.find(id, id); found == nullptr || found->id != id) return false;
        }
        table.add({Added});
    }
    for (std::uint32_t id = 0; id <= Added; ++id) {
        if (const Entry* found = table.find(id, id); found == nullptr || found->id != id) return false;
    }
    return table.entries().size() == Added + 1;
}

}    // namespace

int main() {
    std::uint64_t number = 1;
    for (bool hasFailed = true; hasFailed; ++number) {
        const std::uint64_t failuresBefore = ScarceMemory::failureCount();
        if (!isRight(number)) {
            std::printf("the table is damaged after allocation %llu has failed\n", static_cast<unsigned long long>(number));
            return 1;
        }
        hasFailed = ScarceMemory::failureCount() != failuresBefore;
    }
    std::puts(number > 3 ? "ok" : "the table has not grown");
}
