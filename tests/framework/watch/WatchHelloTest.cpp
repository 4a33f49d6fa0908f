#include <ferry/framework/watch/WatchHello.hpp>

#include <array>
#include <cstddef>
#include <span>

#include <doctest/doctest.h>

#include <ferry/framework/watch/WatchAddress.hpp>
#include <ferry/serialization/exception/UsageError.hpp>

using namespace ferry;

namespace watchhellotest {

detail::WatchSecret secretOf(unsigned char seed) {
    detail::WatchSecret secret{};
    for (std::size_t i = 0; i < secret.size(); ++i) secret[i] = static_cast<std::byte>(seed + i);
    return secret;
}

}    // namespace watchhellotest

using namespace watchhellotest;

TEST_CASE("WatchHello: what was written is read") {
    const detail::WatchHello hello{secretOf(1), 3, 4711, 0x0102030405060708};
    const auto bytes = hello.bytes();
    CHECK(bytes[0] == std::byte{'F'});
    CHECK(bytes[24] == std::byte{3});
    CHECK(bytes[39] == std::byte{1});
    const auto read = detail::WatchHello::read(bytes, secretOf(1), 4);
    REQUIRE(read.has_value());
    CHECK(read->rank == 3);
    CHECK(read->process == 4711);
    CHECK(read->host == 0x0102030405060708);
}

TEST_CASE("WatchHello: one of another job, a rank that is no slave, and anything else is refused") {
    const auto bytes = detail::WatchHello{secretOf(1), 3, 1, 1}.bytes();
    CHECK_FALSE(detail::WatchHello::read(bytes, secretOf(2), 4));
    CHECK_FALSE(detail::WatchHello::read(bytes, secretOf(1), 3));
    CHECK_FALSE(detail::WatchHello::read(detail::WatchHello{secretOf(1), 0, 1, 1}.bytes(), secretOf(1), 4));
    CHECK_FALSE(detail::WatchHello::read(detail::WatchHello{secretOf(1), -1, 1, 1}.bytes(), secretOf(1), 4));
    for (std::size_t size = 0; size < bytes.size(); ++size)
        CHECK_FALSE(detail::WatchHello::read(std::span(bytes).first(size), secretOf(1), 4));
    for (std::size_t i = 0; i < 24; ++i) {    // the begin and the secret
        auto damaged = bytes;
        damaged[i] ^= std::byte{0x40};
        CHECK_FALSE(detail::WatchHello::read(damaged, secretOf(1), 4));
    }
}

TEST_CASE("WatchAddress: the address is read back from its text, and any other text is refused") {
    const detail::WatchAddress address{54321, secretOf(200), 0xfedcba9876543210, {"10.0.0.1", "192.168.7.9"}};
    const detail::WatchAddress read = detail::WatchAddress::fromText(address.text());
    CHECK(read.port == 54321);
    CHECK(read.secret == secretOf(200));
    CHECK(read.host == 0xfedcba9876543210);
    CHECK(read.addresses == address.addresses);
    for (const char* text : {"", "12", "12 00 1", "12 00112233445566778899aabbccddeefg 1", "123456 00112233445566778899aabbccddeeff 1"})
        CHECK_THROWS_AS(detail::WatchAddress::fromText(text), UsageError);
}

TEST_CASE("WatchSecret: two secrets differ") { CHECK(detail::makeWatchSecret() != detail::makeWatchSecret()); }
