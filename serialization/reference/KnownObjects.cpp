#include <ferry/serialization/reference/KnownObjects.hpp>

#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>
#include <boost/unordered/unordered_flat_set.hpp>

namespace ferry::detail {

struct KnownIdentities::Table {
    std::vector<const void*> recent;    // added since the last question
    boost::unordered_flat_set<const void*> all;
};

KnownIdentities::KnownIdentities() noexcept = default;
KnownIdentities::~KnownIdentities() = default;

void KnownIdentities::add(const void* identity) {
    if (table_ == nullptr) table_ = SoleOwner<Table>::make();
    table_->recent.push_back(identity);
}

bool KnownIdentities::contains(const void* address) {
    if (table_ == nullptr) return false;
    table_->all.insert(table_->recent.begin(), table_->recent.end());
    table_->recent.clear();
    return table_->all.contains(address);
}

struct KnownArrays::Table {
    boost::unordered_flat_map<const void*, KnownArray> arrays;
};

KnownArrays::KnownArrays() : table_(SoleOwner<Table>::make()) {}
KnownArrays::~KnownArrays() = default;

KnownArray& KnownArrays::at(const void* first) { return table_->arrays[first]; }

}    // namespace ferry::detail
