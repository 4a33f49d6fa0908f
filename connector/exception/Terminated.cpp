#include <ferry/connector/exception/Terminated.hpp>

FERRY_EXCEPTION_DEFINED(ferry::Terminated)
FERRY_FIELDS_DEFINED(ferry::Terminated)
