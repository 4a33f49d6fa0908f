#include <ferry/framework/slave/Done.hpp>

FERRY_CLASS_DEFINED(ferry::Done)
FERRY_FIELDS_DEFINED(ferry::Done)
