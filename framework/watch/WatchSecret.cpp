#include <ferry/framework/watch/WatchSecret.hpp>

#include <sys/random.h>
#include <cerrno>
#include <system_error>

namespace ferry::detail {

WatchSecret makeWatchSecret() {
    WatchSecret secret{};
    for (;;) {
        const ssize_t count = getrandom(secret.data(), secret.size(), 0);    // so few bytes come in one call
        if (count == static_cast<ssize_t>(secret.size())) return secret;
        if (count < 0 && errno != EINTR) throw std::system_error(errno, std::generic_category(), "getrandom");
    }
}

}    // namespace ferry::detail
