#include <ferry/framework/watch/WatchSecret.hpp>

#include <cerrno>
#include <span>
#include <system_error>

#include <ferry/serialization/platform/System.hpp>

namespace ferry::detail {

WatchSecret makeWatchSecret() {
    WatchSecret secret{};
    if (!platform::fillWithRandomBytes(std::as_writable_bytes(std::span(secret))))
        throw std::system_error(errno, std::generic_category(), "asking for random bytes");
    return secret;
}

}    // namespace ferry::detail
