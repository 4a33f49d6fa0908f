#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <ferry/serialization/exception/Exception.hpp>

namespace ferry {

/// Ints from a message or a file are not as expected.
///
/// The text names the offset, the class that was being read, the path to the field, the expected value and the found one.
class SerializationError : public Exception {
public:
    FERRY_EXCEPTION_DECLARED(ferry::SerializationError)

    static constexpr std::size_t UnknownOffset = static_cast<std::size_t>(-1);

    SerializationError() = default;
    /// problem: in words, for example "expected a bool (0 or 1), found 7". offsetInts: the position of the problem in the stream, in ints.
    explicit SerializationError(std::string problem, std::size_t offsetInts = UnknownOffset);

    ErrorKind kind() const noexcept override { return ErrorKind::BadData; }
    void writeToInts(IntWriter& out) const override;
    void readFromInts(IntReader& in) override;

    /// Position of the first unexpected int, counted from the first int of the reader.
    std::size_t offsetInts() const noexcept { return offsetInts_; }
    /// Wire name of the innermost class that was being read; empty outside of classes with a wire name.
    const std::string& objectClass() const noexcept { return objectClass_; }
    /// For example "rooms[3].seats". Empty when the value is no field. A path of more than 1000 characters has its first and its last
    /// levels, and " ... " between them.
    const std::string& fieldPath() const noexcept { return fieldPath_; }

    /// Called by the readers of enclosing values while the error passes them, from the inside out.
    void setOffsetIfUnknown(std::size_t offsetInts);
    void addField(std::string_view fieldName);
    void addElement(std::size_t index);
    void addClass(std::string_view name);
    /// The source of the stream, for example the path of a file. Appears only in the text.
    void addSource(std::string_view name);

protected:
    /// Replaces the problem by other words.
    void setProblem(std::string problem);

private:
    void addPlace(std::string place);
    std::size_t levelFrom(std::size_t position) const;
    void updateText();

    std::string problem_;
    std::size_t offsetInts_ = UnknownOffset;
    std::string objectClass_;
    std::string fieldPath_;
    std::string source_;
};

}    // namespace ferry
