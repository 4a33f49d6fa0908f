#undef FERRY_ASSERT_LEVEL
#define FERRY_ASSERT_LEVEL 1
#include <ferry/serialization/exception/xassert.hpp>
#include <ferry/tests/serialization/exception/AssertLevels.hpp>

namespace ferry::test {

std::string checkedAtLevel1() {
    std::string checked;
    const auto note = [&checked](const char* name) { return !(checked += name).empty(); };
    const int unused = 1;
    xassertLight(note("light ") && unused == 1, "unused {}", unused);
    xassert(note("normal "));
    xassertHeavy(note("heavy "));
    FERRY_ASSERT_LIGHT(note("LIGHT ") && unused == 1, "unused {}", unused);
    FERRY_ASSERT(note("NORMAL "));
    FERRY_ASSERT_HEAVY(note("HEAVY "));
    return checked;
}

}    // namespace ferry::test
