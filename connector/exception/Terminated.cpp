#include <ferry/connector/exception/Terminated.hpp>

FERRY_EXCEPTION_DEFINED(ferry::Terminated)
