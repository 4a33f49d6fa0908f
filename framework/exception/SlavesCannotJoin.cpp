#include <ferry/framework/exception/SlavesCannotJoin.hpp>

FERRY_EXCEPTION_DEFINED(ferry::SlavesCannotJoin)
