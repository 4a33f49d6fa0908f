#include <ferry/framework/SlavesCannotJoin.hpp>

FERRY_EXCEPTION_DEFINED(ferry::SlavesCannotJoin)
