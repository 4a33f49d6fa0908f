#include <ferry/framework/slave/SharedStore.hpp>

#include <iterator>
#include <utility>

#include <fmt/format.h>

#include <ferry/serialization/exception/SerializationError.hpp>
#include <ferry/serialization/exception/UsageError.hpp>

namespace ferry::detail {

SharedRoute SharedStore::routeOf(const Letter& letter) {
    if (letter.body().empty()) throw SerializationError("expected a shared object, found an empty letter");
    const auto route = static_cast<SharedRoute>(letter.body().front());
    if (route != SharedRoute::Direct && route != SharedRoute::PassedOn)
        throw SerializationError(fmt::format("expected a shared object by route 0 or 1, found {}", letter.body().front()));
    return route;
}

void SharedStore::keep(Letter letter) {
    static_cast<void>(routeOf(letter));
    const auto [key, version] = Place{letter.envelope.key, letter.envelope.number};
    if (version <= droppedVersion) throw SerializationError(fmt::format("expected the version of a shared object, found {}", version));
    arrived_.emplace(Place{key, version}, std::move(letter));
}

bool SharedStore::has(const Envelope& notice) const {
    return notice.number == droppedVersion || arrived_.contains({notice.key, notice.number});
}

void SharedStore::use(const Envelope& notice) {
    if (notice.number == droppedVersion) {
        inUse_.erase(notice.key);
        return;
    }
    const auto arrived = arrived_.find({notice.key, notice.number});
    if (arrived == arrived_.end()) throw UsageError(fmt::format("version {} of a shared object has not arrived", notice.number));
    inUse_.insert_or_assign(notice.key, InUse{notice.number, std::move(arrived->second), nullptr});
    arrived_.erase(arrived_.lower_bound({notice.key, 0}), std::next(arrived));    // earlier versions will not be in use again
}

SharedStore::InUse& SharedStore::find(std::int32_t key, const std::string& typeName) {
    const auto entry = inUse_.find(key);
    if (entry == inUse_.end()) throw UsageError("the master shares no " + typeName + " with this task (master.share(object))");
    return entry->second;
}

}    // namespace ferry::detail
