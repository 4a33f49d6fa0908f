#include <ferry/connector/exception/Remote.hpp>

#include <typeinfo>

#include <boost/core/demangle.hpp>

#include <ferry/connector/exception/UnknownException.hpp>
#include <ferry/serialization/exception/Exception.hpp>

namespace ferry {

const Origin* originOf(const std::exception& exception) noexcept {
    if (const auto* own = dynamic_cast<const Exception*>(&exception)) return own->isRemote() ? &own->origin() : nullptr;
    if (const auto* foreign = dynamic_cast<const RemoteInformation*>(&exception)) return &foreign->origin();
    return nullptr;
}

std::string typeNameOf(const std::exception& exception) {
    if (const auto* unknown = dynamic_cast<const UnknownException*>(&exception)) return unknown->typeName();
    if (const auto* foreign = dynamic_cast<const RemoteInformation*>(&exception)) return foreign->typeName();
    if (const auto* own = dynamic_cast<const Exception*>(&exception)) return own->className();
    return boost::core::demangle(typeid(exception).name());
}

} // namespace ferry
