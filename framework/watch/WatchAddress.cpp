#include <ferry/framework/watch/WatchAddress.hpp>

#include <cstddef>
#include <sstream>

#include <fmt/format.h>

#include <ferry/serialization/exception/UsageError.hpp>

namespace ferry::detail {

std::string WatchAddress::text() const {
    std::string text = fmt::format("{:x} ", port);
    for (const std::byte byte : secret) text += fmt::format("{:02x}", std::to_integer<unsigned>(byte));
    text += fmt::format(" {:x}", host);
    for (const std::string& address : addresses) text += " " + address;
    return text;
}

WatchAddress WatchAddress::fromText(const std::string& text) {
    std::istringstream words(text);
    WatchAddress read;
    std::string secret;
    words >> std::hex >> read.port >> secret >> read.host;
    bool isRight =
        !words.fail() && secret.size() == 2 * read.secret.size() && secret.find_first_not_of("0123456789abcdef") == std::string::npos;
    if (!isRight) throw UsageError(fmt::format("expected the address of a watcher, found '{:.80}'", text));
    for (std::size_t i = 0; i < read.secret.size(); ++i)
        read.secret[i] = static_cast<std::byte>(std::stoi(secret.substr(2 * i, 2), nullptr, 16));
    for (std::string address; words >> address;) read.addresses.push_back(address);
    return read;
}

}    // namespace ferry::detail
