#pragma once

namespace ferry {

class Translator;

}    // namespace ferry

namespace ferry::detail {

/// Adds the exception classes of the standard library.
void addStandardExceptions(Translator& translator);

}    // namespace ferry::detail
