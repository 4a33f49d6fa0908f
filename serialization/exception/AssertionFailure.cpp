#include <ferry/serialization/exception/AssertionFailure.hpp>

#include <utility>

FERRY_EXCEPTION_DEFINED(ferry::AssertionFailure)
FERRY_FIELDS_DEFINED(ferry::AssertionFailure)

namespace ferry {

AssertionFailure::AssertionFailure(std::string expression_, std::string values_, std::string message_, std::string file_, int line_)
    : expression(std::move(expression_)),
      values(std::move(values_)),
      message(std::move(message_)),
      file(std::move(file_)),
      line(line_) {
    std::string text = "xassert failed: " + expression;
    if (!values.empty()) text += " (" + values + ")";
    if (!message.empty()) text += ": " + message;
    setText(std::move(text));
    setOrigin(Origin::here(file.c_str(), line));
}

}    // namespace ferry
