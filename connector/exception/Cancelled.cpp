#include <ferry/connector/exception/Cancelled.hpp>

FERRY_EXCEPTION_DEFINED(ferry::Cancelled)
