#include <ferry/connector/exception/RegistryMismatch.hpp>

FERRY_EXCEPTION_DEFINED(ferry::RegistryMismatch)
