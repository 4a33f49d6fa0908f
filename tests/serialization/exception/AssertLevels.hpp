#pragma once

#include <string>

namespace ferry::test {

/// Returns which of the three macros are evaluated in a file that is compiled at this level.
std::string checkedAtLevel0();
std::string checkedAtLevel1();
std::string checkedAtLevel2();
std::string checkedAtLevel3();

}    // namespace ferry::test
