#include <ferry/connector/exception/Remote.hpp>

#include <string_view>
#include <typeinfo>

#include <boost/core/demangle.hpp>

#include <ferry/connector/exception/UnknownException.hpp>
#include <ferry/serialization/exception/Exception.hpp>

namespace ferry {

namespace {

/// std::throw_with_nested throws a class of the library's own, derived from the one that the author named.
std::string withoutNesting(const std::string& typeName) {
    constexpr std::string_view prefix = "std::_Nested_exception<";
    if (typeName.compare(0, prefix.size(), prefix) != 0 || typeName.back() != '>') return typeName;
    return typeName.substr(prefix.size(), typeName.size() - prefix.size() - 1);
}

}    // namespace

const Origin* originOf(const std::exception& exception) noexcept {
    if (const auto* own = dynamic_cast<const Exception*>(&exception)) return own->isRemote() ? &own->origin() : nullptr;
    if (const auto* foreign = dynamic_cast<const RemoteInformation*>(&exception)) return &foreign->origin();
    return nullptr;
}

std::string typeNameOf(const std::exception& exception) {
    if (const auto* unknown = dynamic_cast<const UnknownException*>(&exception)) return unknown->typeName();
    if (const auto* foreign = dynamic_cast<const RemoteInformation*>(&exception)) return foreign->typeName();
    if (const auto* own = dynamic_cast<const Exception*>(&exception)) return own->className();
    return withoutNesting(boost::core::demangle(typeid(exception).name()));
}

}    // namespace ferry
