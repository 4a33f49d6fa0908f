#include <ferry/connector/message/letter/SimpleMessage.hpp>

FERRY_CLASS_DEFINED(ferry::SimpleMessage)
FERRY_FIELDS_DEFINED(ferry::SimpleMessage)
