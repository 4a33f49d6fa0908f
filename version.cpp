#include <ferry/version.hpp>

#define FERRY_TEXT_OF(number_) #number_
#define FERRY_VERSION_TEXT(major_, minor_, patch_) FERRY_TEXT_OF(major_) "." FERRY_TEXT_OF(minor_) "." FERRY_TEXT_OF(patch_)

namespace ferry {

const char* version() noexcept { return FERRY_VERSION_TEXT(FERRY_VERSION_MAJOR, FERRY_VERSION_MINOR, FERRY_VERSION_PATCH); }

int versionNumber() noexcept { return FERRY_VERSION; }

}    // namespace ferry
