#include <ferry/connector/exception/NoMemoryForMessage.hpp>

#include <cstdio>

namespace ferry {

NoMemoryForMessage::NoMemoryForMessage(int from, std::size_t bytes) noexcept : from_(from), bytes_(bytes) {
    std::snprintf(text_.data(), text_.size(), "no memory for a message of %zu bytes from rank %d, which was received and dropped", bytes,
                  from);
}

}    // namespace ferry
