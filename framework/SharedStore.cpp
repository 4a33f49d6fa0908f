#include <ferry/framework/SharedStore.hpp>

#include <utility>

#include <ferry/serialization/exception/UsageError.hpp>

namespace ferry {

void SharedStore::keep(Letter letter) {
    const std::int32_t key = letter.envelope.key;
    entries_.insert_or_assign(key, Entry{std::move(letter), nullptr});
}

SharedStore::Entry& SharedStore::find(std::int32_t key, const std::string& typeName) {
    const auto entry = entries_.find(key);
    if (entry == entries_.end()) throw UsageError("the master has shared no " + typeName + " before this task (master.share(object))");
    return entry->second;
}

}    // namespace ferry
