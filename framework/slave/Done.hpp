#pragma once

#include <ferry/connector/message/letter/Message.hpp>

namespace ferry {

/// The reply to a task without a result: it says that the task is done.
class Done final : public Message {
public:
    FERRY_CLASS_DECLARED(ferry::Done)
    FERRY_FIELDS_DECLARED()
};

}    // namespace ferry
