#include <ferry/serialization/exception/UsageError.hpp>

FERRY_EXCEPTION_DEFINED(ferry::UsageError)
