#include <ferry/connector/exception/Translator.hpp>

#include <algorithm>
#include <mutex>

#include <ferry/connector/exception/StandardExceptions.hpp>

namespace ferry {

Translator& Translator::global() {
    static Translator translator;
    static const bool isFilled = [] {
        addStandardExceptions(translator);
        return true;
    }();
    static_cast<void>(isFilled);
    return translator;
}

std::shared_ptr<const Translator::Entry> Translator::nearest(const std::exception& exception) const {
    const std::shared_lock lock(mutex_);
    const auto entry = std::find_if(entries_.begin(), entries_.end(), [&](const auto& candidate) { return candidate->fits(exception); });
    return entry == entries_.end() ? nullptr : *entry;
}

std::shared_ptr<const Translator::Entry> Translator::find(std::string_view name) const {
    const std::shared_lock lock(mutex_);
    const auto entry = std::find_if(entries_.begin(), entries_.end(), [&](const auto& candidate) { return candidate->name == name; });
    return entry == entries_.end() ? nullptr : *entry;
}

void Translator::insert(Entry entry, std::type_index base) {
    const std::lock_guard lock(mutex_);
    for (const auto& known : entries_) {
        if (known->type == entry.type) return;
        if (known->type == base) entry.depth = known->depth + 1;
    }
    const auto place = std::find_if(entries_.begin(), entries_.end(), [&](const auto& known) { return known->depth < entry.depth; });
    entries_.insert(place, std::make_shared<const Entry>(std::move(entry)));
}

}    // namespace ferry
