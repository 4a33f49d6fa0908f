#include <ferry/serialization/ints/Shares.hpp>

#include <algorithm>
#include <functional>
#include <limits>
#include <typeindex>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include <ferry/serialization/ints/IntReader.hpp>
#include <ferry/serialization/ints/IntWriter.hpp>
#include <ferry/serialization/ints/TypeName.hpp>
#include <ferry/serialization/ints/fail.hpp>

namespace ferry::detail {

struct WrittenShares::Numbers {
    struct Key {
        const void* address;
        std::type_index type;
        bool operator==(const Key&) const = default;
    };
    struct HashKey {
        std::size_t operator()(const Key& key) const noexcept { return std::hash<const void*>()(key.address) * 31 + key.type.hash_code(); }
    };

    std::unordered_map<Key, std::int32_t, HashKey> byKey;
};

WrittenShares::WrittenShares() : numbers_(SoleOwner<Numbers>::make()) {}

WrittenShares::~WrittenShares() = default;

WrittenShares::Visit WrittenShares::visit(std::shared_ptr<const void> object, const std::type_info& type) {
    if (objects_.size() >= static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max())) {
        failUsage("more than 2147483647 shared objects in one message");
    }
    const auto next = static_cast<std::int32_t>(objects_.size() + 1);
    // Room first: the table then names only objects that are kept, also when there is no memory.
    if (objects_.size() == objects_.capacity()) objects_.reserve(2 * objects_.size() + 4);
    const auto [found, isFirst] = numbers_->byKey.try_emplace(Numbers::Key{object.get(), type}, next);
    if (isFirst) objects_.push_back({std::move(object), 0});
    return {found->second, isFirst};
}

OwnerLevels::Begun WrittenShares::begin(const IntWriter& out) noexcept { return levels_.begin(out.depth()); }

void WrittenShares::complete(const IntWriter& out, std::int32_t number, const OwnerLevels::Begun& levels) {
    const std::size_t height = levels_.complete(levels);
    if (height > out.maxOwnerChain()) {
        failUsage(
            fmt::format("shared objects own each other in a chain of more than {}: send or save them as a graph, or raise the limit with "
                        "setMaxOwnerChain here and ReadLimits::ownerChain at the reader",
                        out.maxOwnerChain()));
    }
    objects_[static_cast<std::size_t>(number) - 1].height = height;
}

void WrittenShares::noteOwned(const IntWriter& out, std::int32_t number, const std::type_info& type) {
    const std::size_t height = objects_[static_cast<std::size_t>(number) - 1].height;
    if (height == 0) {
        failUsage(fmt::format("an object of {} owns itself through shared_ptr: use weak_ptr for the way back, or send it with ferry::graph",
                              typeName(type)));
    }
    levels_.noteOwned(out.depth(), height);
}

const ReadShares::Share& ReadShares::at(const IntReader& in, std::int32_t number) const {
    if (!hasSkipped_ && static_cast<std::size_t>(number) <= shares_.size()) return shares_[static_cast<std::size_t>(number) - 1].share;
    const auto found = std::lower_bound(shares_.begin(), shares_.end(), number,
                                        [](const Numbered& each, std::int32_t wanted) { return each.number < wanted; });
    if (found != shares_.end() && found->number == number) return found->share;
    if (hasSkipped_) {
        in.fail("a shared object that was read", fmt::format("object {}, which stands in a part that this version skips", number));
    }
    in.fail(fmt::format("the number of a shared object from 0 to {}", lastNumber()), fmt::format("{}", number));
}

void ReadShares::checkNew(const IntReader& in, std::int32_t announced) const {
    const std::int64_t number = -static_cast<std::int64_t>(announced);
    const std::int64_t next = static_cast<std::int64_t>(lastNumber()) + 1;
    if (number == next || (hasSkipped_ && number > next && number <= std::numeric_limits<std::int32_t>::max())) return;
    in.fail(fmt::format("the announcement of shared object {}", next), fmt::format("that of {}", number));
}

std::size_t ReadShares::add(std::int32_t number, Share share) {
    shares_.push_back({number, std::move(share)});
    return shares_.size() - 1;
}

void ReadShares::truncate(std::size_t count) noexcept {
    shares_.erase(shares_.begin() + static_cast<std::ptrdiff_t>(count), shares_.end());
}

std::int32_t ReadShares::lastNumber() const noexcept { return shares_.empty() ? 0 : shares_.back().number; }

OwnerLevels::Begun ReadShares::begin(const IntReader& in) noexcept { return levels_.begin(in.depth()); }

void ReadShares::complete(const IntReader& in, std::size_t place, const OwnerLevels::Begun& levels) {
    const std::size_t height = levels_.complete(levels);
    if (height > in.limits().ownerChain)
        in.fail(fmt::format("shared objects that own each other in chains of at most {}", in.limits().ownerChain), "a longer one");
    Share& share = shares_[place].share;
    share.height = static_cast<std::uint32_t>(height);
    share.isComplete = true;
}

void ReadShares::noteOwned(const IntReader& in, const Share& share) noexcept { levels_.noteOwned(in.depth(), share.height); }

void failWrongShare(const IntReader& in, std::int32_t number, const std::type_info& expected, const ReadShares::Share& share) {
    const IntSerializableObject* object = share.object.get();
    const std::type_info& found = object != nullptr ? typeid(*object) : *share.plainType;
    in.fail(fmt::format("a shared object of {}", typeName(expected)), fmt::format("object {}, which is of {}", number, typeName(found)));
}

}    // namespace ferry::detail
