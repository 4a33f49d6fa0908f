#include <ferry/connector/exception/Translator.hpp>

#include <algorithm>
#include <iterator>
#include <mutex>

#include <fmt/format.h>

#include <ferry/connector/exception/StandardExceptions.hpp>
#include <ferry/serialization/exception/UsageError.hpp>
#include <ferry/serialization/ints/TypeName.hpp>

namespace ferry {

Translator& Translator::global() {
    static Translator& translator = *new Translator;    // never destroyed: exit() on one rank leaves the others at work
    static const bool isFilled = [] {
        detail::addStandardExceptions(translator);
        return true;
    }();
    static_cast<void>(isFilled);
    return translator;
}

std::vector<std::shared_ptr<const Translator::Entry>> Translator::fitting(const detail::Thrown& exception) const {
    const auto entries = [this] {
        const std::shared_lock lock(mutex_);
        return entries_;
    }();    // the check of an entry may run the user's code, which may use this list
    std::vector<std::shared_ptr<const Entry>> found;
    std::copy_if(entries.begin(), entries.end(), std::back_inserter(found), [&](const auto& entry) { return entry->fits(exception); });
    std::stable_partition(found.begin(), found.end(), [&](const auto& entry) { return entry->type == exception.type(); });
    return found;
}

std::vector<detail::ContextEntry> Translator::fieldTexts(const detail::Thrown& exception) const {
    if (exception.own() != nullptr) return exception.own()->ferryFieldTexts();
    const auto entries = fitting(exception);
    return entries.empty() ? std::vector<detail::ContextEntry>() : entries.front()->fieldTexts(exception);
}

std::shared_ptr<const Translator::Entry> Translator::find(std::string_view name) const {
    const std::shared_lock lock(mutex_);
    const auto entry = std::find_if(entries_.begin(), entries_.end(), [&](const auto& candidate) { return candidate->name == name; });
    return entry == entries_.end() ? nullptr : *entry;
}

detail::ThrowRecord Translator::recordOf(const RemoteInformation& information, const std::exception_ptr& cause) {
    detail::ThrowRecord record;
    record.origin = information.origin();
    record.isRemote = true;
    record.typeName = information.typeName();
    record.cause = detail::Cause(cause);
    return record;
}

void Translator::insert(Entry entry, std::type_index base) {
    const std::lock_guard lock(mutex_);
    for (const auto& known : entries_) {
        if (known->type == entry.type) return;
        if (known->name == entry.name)
            throw UsageError(fmt::format("expected a name of its own for the exception class {}, found {}, which {} has already",
                                         detail::typeName(entry.type), entry.name, detail::typeName(known->type)));
        if (known->type == base) entry.depth = known->depth + 1;
    }
    const auto place = std::find_if(entries_.begin(), entries_.end(), [&](const auto& known) { return known->depth < entry.depth; });
    entries_.insert(place, std::make_shared<const Entry>(std::move(entry)));
}

}    // namespace ferry
