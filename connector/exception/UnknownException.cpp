#include <ferry/connector/exception/UnknownException.hpp>

FERRY_EXCEPTION_DEFINED(ferry::UnknownException)
FERRY_FIELDS_DEFINED(ferry::UnknownException)
