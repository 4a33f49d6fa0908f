#include <ferry/framework/watch/WatchHello.hpp>

#include <algorithm>

namespace ferry::detail {

namespace {

constexpr std::array<char, 8> beginning{'F', 'E', 'R', 'R', 'Y', 'W', '1', '\n'};

/// Writes the bytes of a number, lowest byte first.
template <class Number>
std::byte* put(std::byte* place, Number number) {
    for (std::size_t i = 0; i < sizeof(Number); ++i) *place++ = static_cast<std::byte>(static_cast<std::uint64_t>(number) >> (8 * i));
    return place;
}

template <class Number>
const std::byte* get(const std::byte* place, Number& number) {
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < sizeof(Number); ++i) bits |= std::to_integer<std::uint64_t>(*place++) << (8 * i);
    number = static_cast<Number>(bits);
    return place;
}

}    // namespace

std::array<std::byte, WatchHello::sizeBytes> WatchHello::bytes() const {
    std::array<std::byte, sizeBytes> all{};
    std::byte* place = std::transform(beginning.begin(), beginning.end(), all.data(), [](char letter) { return std::byte(letter); });
    place = std::copy(secret.begin(), secret.end(), place);
    place = put(place, rank);
    place = put(place, process);
    put(place, host);
    return all;
}

std::optional<WatchHello> WatchHello::read(std::span<const std::byte> bytes, const WatchSecret& secret, int rankCount) {
    if (bytes.size() != sizeBytes) return std::nullopt;
    const auto isSame = [](char letter, std::byte byte) { return std::byte(letter) == byte; };
    if (!std::equal(beginning.begin(), beginning.end(), bytes.data(), isSame)) return std::nullopt;
    const std::byte* place = bytes.data() + beginning.size();
    WatchHello hello;
    std::byte difference{};    // all bytes are compared, so that the time reveals nothing
    for (std::size_t i = 0; i < secret.size(); ++i) difference |= secret[i] ^ place[i];
    if (difference != std::byte{}) return std::nullopt;
    hello.secret = secret;
    place = get(place + secret.size(), hello.rank);
    place = get(place, hello.process);
    get(place, hello.host);
    if (hello.rank < 1 || hello.rank >= rankCount) return std::nullopt;
    return hello;
}

}    // namespace ferry::detail
