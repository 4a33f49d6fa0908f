#pragma once

#include <ferry/connector/message/Message.hpp>

namespace ferry {

/// The reply to a task that has nothing to say but that it is done.
class Done final : public Message {
public:
    FERRY_CLASS(ferry::Done)
    FERRY_FIELDS()
};

}    // namespace ferry
