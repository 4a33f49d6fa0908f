#include <ferry/serialization/exception/SerializationError.hpp>

#include <utility>

#include <fmt/format.h>

#include <ferry/serialization/Codec.hpp>

FERRY_EXCEPTION_DEFINED(ferry::SerializationError)

namespace ferry {

SerializationError::SerializationError(std::string problem, std::size_t offsetInts)
    : Exception(problem),
      problem_(std::move(problem)),
      offsetInts_(offsetInts) {
    updateText();
}

void SerializationError::writeToInts(IntWriter& out) const { out << problem_ << offsetInts_ << objectClass_ << fieldPath_; }

void SerializationError::readFromInts(IntReader& in) { in >> problem_ >> offsetInts_ >> objectClass_ >> fieldPath_; }

void SerializationError::setOffsetIfUnknown(std::size_t offsetInts) {
    if (offsetInts_ != UnknownOffset) return;
    offsetInts_ = offsetInts;
    updateText();
}

void SerializationError::addField(std::string_view fieldName) {
    const bool needsDot = !fieldPath_.empty() && fieldPath_.front() != '[';
    fieldPath_ = fmt::format("{}{}{}", fieldName, needsDot ? "." : "", fieldPath_);
    updateText();
}

void SerializationError::addElement(std::size_t index) {
    const bool needsDot = !fieldPath_.empty() && fieldPath_.front() != '[';
    fieldPath_ = fmt::format("[{}]{}{}", index, needsDot ? "." : "", fieldPath_);
    updateText();
}

void SerializationError::addClass(std::string_view name) {
    if (!objectClass_.empty()) return;
    objectClass_ = name;
    updateText();
}

void SerializationError::addSource(std::string_view name) {
    source_ = name;
    updateText();
}

void SerializationError::setProblem(std::string problem) {
    problem_ = std::move(problem);
    updateText();
}

void SerializationError::updateText() {
    std::string text;
    if (offsetInts_ != UnknownOffset) text += fmt::format("int {}", offsetInts_);
    if (!objectClass_.empty()) text += fmt::format("{}in {}", text.empty() ? "" : " ", objectClass_);
    if (!fieldPath_.empty()) text += fmt::format("{}at {}", text.empty() ? "" : " ", fieldPath_);
    if (!text.empty()) text += ": ";
    if (!source_.empty()) text.insert(0, source_ + ": ");
    setText(text + problem_);
}

}    // namespace ferry
