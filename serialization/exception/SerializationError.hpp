#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <ferry/serialization/exception/Exception.hpp>

namespace ferry {

/// Ints from a message or a file are not what was expected.
///
/// The text names the offset, the class that was being read, the path to the field, what was expected and what was found.
class SerializationError : public Exception {
public:
    FERRY_EXCEPTION_DECLARED(ferry::SerializationError)

    static constexpr std::size_t UnknownOffset = static_cast<std::size_t>(-1);

    SerializationError() = default;
    /// The problem in words, such as "expected a bool (0 or 1), found 7", and the position in the stream where it was met, in ints.
    explicit SerializationError(std::string problem, std::size_t offsetInts = UnknownOffset);

    ErrorKind kind() const noexcept override { return ErrorKind::BadData; }
    void writeToInts(IntWriter& out) const override;
    void readFromInts(IntReader& in) override;

    /// Position of the first int that was not as expected, counted from the first int of the reader.
    std::size_t offsetInts() const noexcept { return offsetInts_; }
    /// Wire name of the innermost class that was being read; empty outside of classes with a wire name.
    const std::string& objectClass() const noexcept { return objectClass_; }
    /// Such as "rooms[3].seats"; empty when the value is no field.
    const std::string& fieldPath() const noexcept { return fieldPath_; }

    /// Called by the readers of enclosing values while the error passes them, from the inside out.
    void setOffsetIfUnknown(std::size_t offsetInts);
    void addField(std::string_view fieldName);
    void addElement(std::size_t index);
    void addClass(std::string_view name);
    /// Adds the source of the stream, such as the path of a file, to the text alone.
    void addSource(std::string_view name);

protected:
    /// Says the problem in other words.
    void setProblem(std::string problem);

private:
    void updateText();

    std::string problem_;
    std::size_t offsetInts_ = UnknownOffset;
    std::string objectClass_;
    std::string fieldPath_;
    std::string source_;
};

}    // namespace ferry
