#include <ferry/serialization/ObjectFactory.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <ferry/serialization/TypeName.hpp>
#include <ferry/serialization/exception/AssertionFailure.hpp>
#include <ferry/serialization/exception/SerializationError.hpp>
#include <ferry/serialization/exception/UnknownClass.hpp>
#include <ferry/serialization/exception/UsageError.hpp>

namespace ferry {

/// Open addressing by class ID, which is a hash already. Filled by one thread at a time, read by any number.
class ObjectFactory::Table {
public:
    explicit Table(std::size_t slotCount) : slots_(slotCount) {}

    std::size_t slotCount() const noexcept { return slots_.size(); }

    const ClassInfo* find(ClassId id) const noexcept {
        for (std::size_t slot = first(id);; slot = next(slot)) {
            const ClassInfo* info = slots_[slot].load(std::memory_order_acquire);
            if (info == nullptr || info->id == id) return info;
        }
    }

    void insert(const ClassInfo& info) noexcept {
        std::size_t slot = first(info.id);
        while (slots_[slot].load(std::memory_order_relaxed) != nullptr) slot = next(slot);
        slots_[slot].store(&info, std::memory_order_release);
    }

private:
    std::size_t first(ClassId id) const noexcept { return static_cast<std::uint32_t>(id) & (slots_.size() - 1); }
    std::size_t next(std::size_t slot) const noexcept { return (slot + 1) & (slots_.size() - 1); }

    std::vector<std::atomic<const ClassInfo*>> slots_;    // a power of two, at least half of them free
};

ObjectFactory::ObjectFactory() {
    tables_.push_back(std::make_unique<Table>(64));
    table_.store(tables_.back().get(), std::memory_order_release);
}

ObjectFactory::~ObjectFactory() = default;

ObjectFactory& ObjectFactory::global() {
    static ObjectFactory factory;
    static const bool hasOwnClasses = [] {
        factory.add<Exception>();
        factory.add<UsageError>();
        factory.add<SerializationError>();
        factory.add<UnknownClass>();
        factory.add<AssertionFailure>();
        return true;
    }();
    static_cast<void>(hasOwnClasses);
    return factory;
}

void ObjectFactory::add(const ClassInfo& info) {
    const std::lock_guard lock(mutex_);
    Table& table = *tables_.back();
    if (const ClassInfo* known = table.find(info.id)) {
        if (known->name != info.name || *known->type != *info.type) rememberConflict(*known, info);
        return;
    }
    ClassInfo& added = infos_.emplace_back(info);
    added.name = names_.emplace_back(info.name);
    if (2 * infos_.size() < table.slotCount()) {
        table.insert(added);
        return;
    }
    auto larger = std::make_unique<Table>(2 * table.slotCount());
    for (const ClassInfo& each : infos_) larger->insert(each);
    table_.store(larger.get(), std::memory_order_release);
    tables_.push_back(std::move(larger));
}

void ObjectFactory::rememberConflict(const ClassInfo& known, const ClassInfo& added) {
    std::string conflict =
        known.name == added.name
            ? fmt::format("classes {} and {} have one wire name, {}", typeName(*known.type), typeName(*added.type), known.name)
            : fmt::format("classes {} and {} have one class ID, {}: choose another name in FERRY_CLASS for one of them", known.name,
                          added.name, known.id);
    if (std::find(conflicts_.begin(), conflicts_.end(), conflict) == conflicts_.end()) conflicts_.push_back(std::move(conflict));
}

const ClassInfo* ObjectFactory::find(ClassId id) const noexcept { return table_.load(std::memory_order_acquire)->find(id); }

const ClassInfo& ObjectFactory::infoOf(ClassId id) const {
    const ClassInfo* info = find(id);
    if (info == nullptr) [[unlikely]] {
        throw UnknownClass(id);
    }
    return *info;
}

std::string ObjectFactory::nameOf(ClassId id) const {
    const ClassInfo* info = find(id);
    return info != nullptr ? std::string(info->name) : fmt::format("unknown class {}", id);
}

void ObjectFactory::failNotDerived(ClassId id, const std::type_info& base) const {
    throw SerializationError(
        fmt::format("expected an object of {}, found one of {}, which does not derive from it", typeName(base), nameOf(id)));
}

bool ObjectFactory::derivesFrom(ClassId id, const std::type_info& base, bool (*test)(const ClassInfo&)) const {
    const ClassInfo* info = find(id);
    if (info == nullptr) return false;
    const std::lock_guard lock(mutex_);
    const std::pair key(std::type_index(base), id);
    if (const auto known = derived_.find(key); known != derived_.end()) return known->second;
    const bool isDerived = test(*info);
    derived_.emplace(key, isDerived);
    return isDerived;
}

std::vector<ClassEntry> ObjectFactory::classes() const {
    std::vector<ClassEntry> entries;
    {
        const std::lock_guard lock(mutex_);
        for (const ClassInfo& info : infos_) entries.push_back({info.id, std::string(info.name)});
    }
    std::sort(entries.begin(), entries.end(), [](const ClassEntry& left, const ClassEntry& right) { return left.id < right.id; });
    return entries;
}

std::uint64_t ObjectFactory::fingerprint() const {
    std::uint64_t hash = 14695981039346656037u;
    const auto mix = [&hash](unsigned char byte) { hash = (hash ^ byte) * 1099511628211u; };
    for (const ClassEntry& entry : classes()) {
        for (const char character : entry.name) mix(static_cast<unsigned char>(character));
        mix(0);
    }
    return hash;
}

void ObjectFactory::verify() const {
    const std::lock_guard lock(mutex_);
    if (conflicts_.empty()) return;
    FERRY_THROW(UsageError(fmt::format("{}", fmt::join(conflicts_, "; "))));
}

namespace detail {

void registerClass(const ClassInfo& info) { ObjectFactory::global().add(info); }

}    // namespace detail

}    // namespace ferry
