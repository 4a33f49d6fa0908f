#pragma once

namespace ferry {

class Translator;

/// Adds the exception classes of the standard library.
void addStandardExceptions(Translator& translator);

}    // namespace ferry
