#include <ferry/connector/message/SimpleMessage.hpp>

FERRY_CLASS_DEFINED(ferry::SimpleMessage)
