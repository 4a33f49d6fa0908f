#include <ferry/connector/exception/Remote.hpp>

#include <ferry/connector/exception/Thrown.hpp>
#include <ferry/serialization/exception/Exception.hpp>
#include <ferry/serialization/exception/ThrowRecord.hpp>

namespace ferry {

const Origin* originOf(const std::exception& exception) noexcept {
    if (const auto* own = dynamic_cast<const Exception*>(&exception)) return own->isRemote() ? &own->origin() : nullptr;
    if (const auto* foreign = dynamic_cast<const RemoteInformation*>(&exception)) return &foreign->origin();
    // The record lives as long as the exception.
    const auto record = detail::throwRecordOf(dynamic_cast<const void*>(&exception));
    return record != nullptr && record->isRemote ? &record->origin : nullptr;
}

std::string typeNameOf(const std::exception& exception) { return detail::Thrown(exception).typeName(); }

}    // namespace ferry
