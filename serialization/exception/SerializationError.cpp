#include <ferry/serialization/exception/SerializationError.hpp>

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include <ferry/serialization/Codec.hpp>

FERRY_EXCEPTION_DEFINED(ferry::SerializationError)

namespace ferry {

namespace {

constexpr std::size_t mostPathLength = 1000;
// The length that the outer and the inner part of a long path keep, up to the next level.
constexpr std::size_t keptPathLength = 300;
constexpr const char* leftOut = " ... ";

}    // namespace

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

void SerializationError::addField(std::string_view fieldName) { addPlace(std::string(fieldName)); }

void SerializationError::addElement(std::size_t index) { addPlace(fmt::format("[{}]", index)); }

/// Puts the place in front of the path. A path that becomes long loses levels in its middle: a small message can hold very many levels.
void SerializationError::addPlace(std::string place) {
    if (place.size() > mostPathLength) place = place.substr(0, keptPathLength) + " ...";    // such as a key of a map in a file
    if (!fieldPath_.empty() && fieldPath_.front() != '[') place += '.';
    fieldPath_.insert(0, place);
    if (fieldPath_.size() > mostPathLength) {
        const std::size_t gap = fieldPath_.find(leftOut);
        std::size_t inner = gap != std::string::npos ? gap : levelFrom(fieldPath_.size() - keptPathLength);
        if (gap == std::string::npos && inner < fieldPath_.size() && fieldPath_[inner] == '.') ++inner;
        const std::size_t outer = std::min(levelFrom(keptPathLength), inner);
        fieldPath_.replace(outer, inner - outer, gap != std::string::npos ? "" : leftOut);
    }
    updateText();
}

/// The position in the path at which the next level begins.
std::size_t SerializationError::levelFrom(std::size_t position) const {
    return std::min(fieldPath_.find_first_of(".[", position), fieldPath_.size());
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
