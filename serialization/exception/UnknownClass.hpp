#pragma once

#include <string_view>

#include <ferry/serialization/exception/SerializationError.hpp>

namespace ferry {

/// An object arrived whose class is not registered in this program.
class UnknownClass : public SerializationError {
public:
    FERRY_EXCEPTION_DECLARED(ferry::UnknownClass)

    UnknownClass() = default;
    explicit UnknownClass(detail::ClassId unknownId);

    ErrorKind kind() const noexcept override { return ErrorKind::Unsupported; }
    void writeToInts(IntWriter& out) const override;
    void readFromInts(IntReader& in) override;

    /// The ID that is not registered.
    detail::ClassId unknownId() const noexcept { return unknownId_; }
    /// For readers that know the wire name: adds the name to the text. An empty name has no effect.
    void setName(std::string_view name);

private:
    detail::ClassId unknownId_ = 0;
};

}    // namespace ferry
