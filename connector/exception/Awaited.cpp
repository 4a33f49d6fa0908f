#include <ferry/connector/exception/Awaited.hpp>

FERRY_FIELDS_DEFINED(ferry::Awaited)
