#pragma once

#include <ferry/connector/message/Message.hpp>

namespace ferry {

/// The reply to a task without a result: it says that the task is done.
class Done final : public Message {
public:
    FERRY_CLASS(ferry::Done)
    FERRY_FIELDS()
};

}    // namespace ferry
