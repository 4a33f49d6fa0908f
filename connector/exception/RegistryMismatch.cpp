#include <ferry/connector/exception/RegistryMismatch.hpp>

FERRY_EXCEPTION_DEFINED(ferry::RegistryMismatch)
FERRY_FIELDS_DEFINED(ferry::RegistryMismatch)
