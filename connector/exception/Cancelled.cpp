#include <ferry/connector/exception/Cancelled.hpp>

FERRY_EXCEPTION_DEFINED(ferry::Cancelled)
FERRY_FIELDS_DEFINED(ferry::Cancelled)
