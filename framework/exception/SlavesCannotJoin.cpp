#include <ferry/framework/exception/SlavesCannotJoin.hpp>

FERRY_EXCEPTION_DEFINED(ferry::SlavesCannotJoin)
FERRY_FIELDS_DEFINED(ferry::SlavesCannotJoin)
