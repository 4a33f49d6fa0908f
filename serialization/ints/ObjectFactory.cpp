#include <ferry/serialization/ints/ObjectFactory.hpp>

#include <cxxabi.h>
#include <algorithm>
#include <atomic>
#include <string_view>
#include <typeinfo>

#include <fmt/format.h>

#include <ferry/serialization/ints/IntReader.hpp>
#include <ferry/serialization/ints/OneCopy.hpp>
#include <ferry/serialization/ints/TypeName.hpp>
#include <ferry/serialization/ints/fail.hpp>

namespace ferry {

ObjectFactory& ObjectFactory::global() {
    static ObjectFactory& factory = *new ObjectFactory;    // never destroyed: exit() on one rank leaves the others at work
    static const bool hasOwnClasses = [] {
        detail::noteRegistryOfThisCopy(&factory);
        detail::addOwnClasses(factory);
        return true;
    }();
    static_cast<void>(hasOwnClasses);
    return factory;
}

namespace {

/// A class in an unnamed namespace is another class in each source.
bool isInUnnamedNamespace(const detail::ClassInfo& info) {
    return std::string_view(info.type->name()).find("_GLOBAL__N_") != std::string_view::npos;
}

/// clang gives the classes of two unnamed namespaces one name, so that their types compare equal. Each has its own type_info.
bool isSameClass(const detail::ClassInfo& left, const detail::ClassInfo& right) {
    return isInUnnamedNamespace(left) ? left.type == right.type : *left.type == *right.type;
}

/// Names the class, and the place where it has FERRY_CLASS.
std::string withPlace(const detail::ClassInfo& info) {
    const std::string name = detail::typeName(*info.type);
    if (info.place.file == nullptr) return name;
    std::string text = fmt::format("{} ({}:{}", name, info.place.file, info.place.line);
    if (isInUnnamedNamespace(info) && std::string_view(info.place.file) != info.place.unit) text += fmt::format(" in {}", info.place.unit);
    return text + ")";
}

/// The last part of a wire name, as FERRY_CLASS_NAMED takes it.
std::string_view lastPart(std::string_view name) {
    const std::size_t separator = name.substr(0, name.find('<')).rfind("::");
    return separator == std::string_view::npos ? name : name.substr(separator + 2);
}

}    // namespace

void ObjectFactory::add(const detail::ClassInfo& info) {
    const std::lock_guard lock(mutex_);
    if (const detail::ClassInfo* known = find(info.id)) {
        if (known->name != info.name || !isSameClass(*known, info)) rememberConflict(*known, info);
        return;
    }
    detail::ClassInfo added = info;
    added.name = names_.emplace_back(info.name);
    classes_.add({added});
}

void ObjectFactory::rememberConflict(const detail::ClassInfo& known, const detail::ClassInfo& added) {
    const bool areValues =
        known.place.file == nullptr && added.place.file == nullptr && detail::typeName(*known.type) == detail::typeName(*added.type);
    const std::string what = known.name == added.name ? fmt::format("wire name, {}", known.name)
                                                      : fmt::format("class ID, {} (of {} and {})", known.id, known.name, added.name);
    std::string conflict =
        areValues
            ? fmt::format("two types are called {}: give one of them another name, or put it into a namespace that has a name", known.name)
            : fmt::format(
                  "classes {} and {} have one {}: give one of them another wire name, with FERRY_CLASS_NAMED({}, \"another::Name\")",
                  withPlace(known), withPlace(added), what, lastPart(added.name));
    if (std::find(conflicts_.begin(), conflicts_.end(), conflict) == conflicts_.end()) conflicts_.push_back(std::move(conflict));
}

const detail::ClassInfo* ObjectFactory::find(detail::ClassId id) const noexcept {
    const Class* found = classes_.find(static_cast<std::uint32_t>(id), id);
    return found != nullptr ? &found->info : nullptr;
}

const detail::ClassInfo& ObjectFactory::infoOf(detail::ClassId id) const {
    const detail::ClassInfo* info = find(id);
    if (info == nullptr) [[unlikely]]
        detail::failUnknownClass(id);
    return *info;
}

std::string ObjectFactory::nameOf(detail::ClassId id) const {
    const detail::ClassInfo* info = find(id);
    return info != nullptr ? std::string(info->name) : fmt::format("unknown class {}", id);
}

#if !defined(__GLIBCXX__)

namespace {

// The beginning of a type_info lies in memory as the Itanium C++ ABI says (section 2.9.5). libc++ declares none of these classes.

/// The type_info of a class with one base, which is public and not virtual.
struct OneBase {
    const void* table;
    const char* name;
    const std::type_info* base;
};
/// The type_info of a class with any bases.
struct SeveralBases {
    struct Base {
        const std::type_info* type;
        long offsetAndFlags;
    };
    static constexpr long isPublic = 2;

    const void* table;
    const char* name;
    unsigned int flags;
    unsigned int count;
    Base first[1];    // as many as count says
};

}    // namespace

#endif

bool detail::hasPublicBase(const std::type_info& type, const std::type_info& base) {
#if defined(__GLIBCXX__)
    void* none = nullptr;
    return type == base || type.__do_upcast(static_cast<const abi::__class_type_info*>(&base), &none);
#else
    if (type == base) return true;
    const std::string_view kind = typeid(type).name();
    if (kind.find("__si_class_type_info") != kind.npos) return hasPublicBase(*reinterpret_cast<const OneBase*>(&type)->base, base);
    if (kind.find("__vmi_class_type_info") == kind.npos) return false;
    const auto& bases = *reinterpret_cast<const SeveralBases*>(&type);
    return std::any_of(&bases.first[0], &bases.first[0] + bases.count, [&base](const SeveralBases::Base& one) {
        return (one.offsetAndFlags & SeveralBases::isPublic) != 0 && hasPublicBase(*one.type, base);
    });
#endif
}

const ObjectFactory::Derivation& ObjectFactory::addDerivation(detail::ClassId id, const std::type_info& base,
                                                              void* (*castObject)(IntSerializableObject&)) const {
    const detail::ClassInfo& info = infoOf(id);
    const auto fail = [&] {
        detail::failReading(
            fmt::format("expected an object of {}, found one of {}, which does not derive from it", detail::typeName(base), info.name));
    };
    if (!detail::hasPublicBase(*info.type, base)) fail();    // no object of an unexpected class is made
    const std::unique_ptr<IntSerializableObject> object = info.create();
    const void* part = castObject(*object);
    if (part == nullptr) fail();
    const std::lock_guard lock(mutex_);
    if (const Derivation* known = derivations_.find(static_cast<std::uint32_t>(id), id, &base)) return *known;
    return derivations_.add({info, &base, static_cast<const std::byte*>(part) - reinterpret_cast<const std::byte*>(object.get())});
}

/// To be called in a handler: adds the class name to an error from reading an object's contents.
void ObjectFactory::failContents(detail::ClassId id) const { detail::rethrowFromClass(infoOf(id).name); }

std::uint64_t ObjectFactory::nextSerial() noexcept {
    static std::atomic<std::uint64_t> last = 0;
    return ++last;
}

std::vector<detail::ClassEntry> ObjectFactory::classes() const {
    std::vector<detail::ClassEntry> entries;
    {
        const std::lock_guard lock(mutex_);
        for (const Class& each : classes_.entries()) entries.push_back({each.info.id, std::string(each.info.name)});
    }
    std::sort(entries.begin(), entries.end(),
              [](const detail::ClassEntry& left, const detail::ClassEntry& right) { return left.id < right.id; });
    return entries;
}

std::uint64_t ObjectFactory::fingerprint() const {
    std::uint64_t hash = 14695981039346656037u;
    const auto mix = [&hash](unsigned char byte) { hash = (hash ^ byte) * 1099511628211u; };
    for (const detail::ClassEntry& entry : classes()) {
        for (const char character : entry.name) mix(static_cast<unsigned char>(character));
        mix(0);
    }
    return hash;
}

void ObjectFactory::verify() const {
    const std::lock_guard lock(mutex_);
    if (conflicts_.empty()) return;
    detail::failUsage(fmt::format("{}", fmt::join(conflicts_, "; ")));
}

namespace detail {

void registerClass(const ClassInfo& info) { ObjectFactory::global().add(info); }

}    // namespace detail

}    // namespace ferry
