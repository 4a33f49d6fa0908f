#include <ferry/serialization/reference/BlockFinder.hpp>

#include <functional>
#include <memory>
#include <utility>

#include <boost/unordered/unordered_flat_set.hpp>

#include <ferry/serialization/ints/IntWriter.hpp>
#include <ferry/serialization/reference/BlockSearch.hpp>

namespace ferry::detail {

/// The targets of all pointers that were met. Objects of two types may have one address.
struct BlockFinder::Seen {
    boost::unordered_flat_set<std::pair<const void*, const PointeeType*>> objects;
    boost::unordered_flat_set<std::pair<const void*, Resolve*>> doubtful;
};

BlockFinder::BlockFinder() : blocks_(*this), seen_(SoleOwner<Seen>::make()) {}
BlockFinder::~BlockFinder() = default;

void BlockFinder::walk(const void* root, const PointeeType& type, const PointeeType* viewed) {
    blocks_.setViewed(viewed);
    add(root, type, 1);
    visitAll();
    for (std::size_t next = 0; next < doubtful_.size(); ++next) {
        const Doubtful each = doubtful_[next];    // a copy: the visit adds more
        const void* object = each.resolve(blocks_, each.address);
        if (object == nullptr) continue;
        add(object, *each.type, 1);
        visitAll();
    }
}

bool BlockFinder::add(const void* object, const PointeeType& type, std::size_t count) {
    if (!seen_->objects.emplace(object, &type).second) return false;
    if (!type.standsWhereMet) waiting_.push_back({object, &type, count});
    return true;
}

void BlockFinder::addDoubtful(const void* object, const PointeeType& type, Resolve* resolve) {
    if (seen_->doubtful.emplace(object, resolve).second) doubtful_.push_back({object, &type, resolve});
}

void BlockFinder::visitAll() {
    while (!waiting_.empty()) {
        const Object object = waiting_.back();
        waiting_.pop_back();
        scratch_.clear();
        IntWriter out(scratch_);
        out.countOnly();
        out.setReferences(&blocks_);
        object.type->write(out, object.address, object.count);
    }
}

void DeleteBlockFinder::operator()(BlockFinder* finder) const noexcept { std::default_delete<BlockFinder>()(finder); }

ReferenceWriter& BlockSearch::blocks(const PointeeType* viewed) {
    if (finder_ == nullptr) {
        auto finder = SoleOwner<BlockFinder, DeleteBlockFinder>::make();
        if (root_ != nullptr) finder->walk(root_, *type_, viewed);
        finder_ = std::move(finder);
    }
    return finder_->blocks();
}

}    // namespace ferry::detail
