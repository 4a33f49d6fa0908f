#include <ferry/connector/transport/RingReader.hpp>
#include <ferry/connector/transport/RingWriter.hpp>

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <numeric>
#include <span>
#include <thread>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/serialization/exception/SerializationError.hpp>
#include <ferry/tests/support/Sanitizers.hpp>

using namespace ferry;
using namespace ferry::detail;

namespace rings {

using Kind = RingMemory::Kind;

/// A ring with both of its ends in one process.
struct Ends {
    std::unique_ptr<RingMemory> memory = std::make_unique<RingMemory>();
    RingWriter writer{bytes()};
    RingReader reader{bytes()};

    std::span<std::byte> bytes() const { return {reinterpret_cast<std::byte*>(memory.get()), sizeof(RingMemory)}; }

    std::vector<std::int32_t> take() {
        IntBuffer ints;
        reader.take(ints);
        return {ints.ints().begin(), ints.ints().end()};
    }
};

std::vector<std::int32_t> packetOf(std::size_t intCount, std::int32_t first) {
    std::vector<std::int32_t> ints(intCount);
    std::iota(ints.begin(), ints.end(), first);
    return ints;
}

}    // namespace rings

using namespace rings;

TEST_CASE("RingWriter: packets of every size come out of the ring as they were put in, also around its end") {
    Ends ring;
    CHECK_FALSE(ring.reader.hasNext());
    CHECK_FALSE(ring.reader.next());
    std::int32_t number = 0;
    for (int lap = 0; lap < 3; ++lap) {
        for (const std::size_t intCount : {0u, 1u, 13u, 14u, 15u, 30u, 31u, 512u, 1000u, 4095u, 4096u}) {
            for (int repeat = 0; repeat < 40; ++repeat) {
                const std::vector<std::int32_t> packet = packetOf(intCount, ++number);
                REQUIRE(ring.writer.put(packet));
                REQUIRE(ring.reader.hasNext());
                REQUIRE(ring.reader.next() == Kind::Packet);
                REQUIRE(ring.take() == packet);
                REQUIRE_FALSE(ring.reader.next());
                REQUIRE(ring.writer.isDrained());
            }
        }
    }
}

TEST_CASE("RingWriter: a full ring takes nothing but the notice of leave(), and takes packets again when it is drained") {
    Ends ring;
    for (int lap = 0; lap < 3; ++lap) {
        std::int32_t count = 0;
        while (ring.writer.put(packetOf(3, count))) ++count;
        CHECK(count == RingMemory::shortLines + RingMemory::longLines - 1);
        CHECK_FALSE(ring.writer.mark());
        CHECK_FALSE(ring.writer.isDrained());
        ring.writer.leave();
        for (std::int32_t i = 0; i < count; ++i) {
            REQUIRE(ring.reader.next() == Kind::Packet);
            REQUIRE(ring.take() == packetOf(3, i));
        }
        CHECK_FALSE(ring.writer.isDrained());
        REQUIRE(ring.reader.next() == Kind::Leave);
        ring.reader.skip();
        CHECK_FALSE(ring.reader.next());
        CHECK(ring.writer.isDrained());
    }
}

TEST_CASE("RingWriter: large packets fill the long lane, small ones find room beside them, and a packet that is taken makes room") {
    Ends ring;
    const std::vector<std::int32_t> large = packetOf(RingMemory::mostInts, 1);
    std::size_t count = 0;
    while (ring.writer.put(large)) ++count;
    CHECK(count == (RingMemory::longLines - 1) / RingMemory::linesOf(large.size()));
    CHECK(count > 1);
    CHECK(ring.writer.put(packetOf(14, 5)));
    CHECK(ring.writer.mark());
    CHECK(ring.take() == large);
    CHECK(ring.writer.put(large));
    CHECK_FALSE(ring.writer.put(large));
    CHECK_FALSE(ring.writer.put(packetOf(RingMemory::mostInts + 1, 1)));
    for (std::size_t i = 1; i < count; ++i) REQUIRE(ring.take() == large);
    CHECK(ring.take() == packetOf(14, 5));
    REQUIRE(ring.reader.next() == Kind::Mark);
    ring.reader.skip();
    CHECK(ring.take() == large);
    CHECK(ring.writer.isDrained());
}

TEST_CASE("RingWriter: a packet that is as long as the short lane goes through the ring") {
    Ends ring;
    constexpr std::size_t intCount =
        (RingMemory::shortLines * RingMemory::lineBytes - sizeof(RingMemory::Line::head)) / sizeof(std::int32_t);
    CHECK(RingMemory::linesOf(intCount) == RingMemory::shortLines);
    for (std::int32_t number = 0; number < 100; ++number) {
        REQUIRE(ring.writer.put(packetOf(intCount, number)));
        REQUIRE(ring.writer.put(packetOf(1, number)));
        REQUIRE(ring.take() == packetOf(intCount, number));
        REQUIRE(ring.take() == packetOf(1, number));
        REQUIRE_FALSE(ring.reader.hasNext());
    }
}

TEST_CASE("RingWriter: ints that look like the head of a later packet are not taken for it") {
    for (const bool isAhead : {false, true}) {    // ahead: packets go through both lanes
        Ends ring;
        std::uint32_t number = 1;
        const auto put = [&](std::size_t intCount) {
            // Each pair of ints is the head of the same later packet. That packet may begin in any of the lines.
            const std::uint64_t head = RingMemory::headOf(number + number / 300 % 60, Kind::Packet, 4);
            std::vector<std::int32_t> packet(intCount);
            for (std::size_t i = 0; i + 1 < intCount; i += 2) std::memcpy(packet.data() + i, &head, sizeof head);
            ++number;
            return ring.writer.put(packet);
        };
        for (int round = 0; round < 18'000 / (isAhead ? 40 : 1); ++round) {
            std::size_t count = 0;
            for (int i = 0; i < (isAhead ? 40 : 1); ++i) {
                REQUIRE(put(i % 3 == 0 ? 78 : 46));
                ++count;
            }
            for (; count != 0; --count) {
                REQUIRE(ring.reader.next() == Kind::Packet);
                REQUIRE(ring.take().size() > 4);
            }
            REQUIRE_FALSE(ring.reader.hasNext());
            REQUIRE(ring.writer.isDrained());
        }
    }
}

TEST_CASE("RingReader: marks keep their places among the packets, and acceptance is told") {
    Ends ring;
    CHECK_FALSE(ring.writer.isAccepted());
    ring.reader.accept();
    CHECK(ring.writer.isAccepted());
    CHECK(ring.writer.put(packetOf(2, 1)));
    CHECK(ring.writer.mark());
    CHECK(ring.writer.put(packetOf(2, 2)));
    CHECK(ring.take() == packetOf(2, 1));
    REQUIRE(ring.reader.next() == Kind::Mark);
    ring.reader.skip();
    REQUIRE(ring.reader.next() == Kind::Packet);
    CHECK(ring.take() == packetOf(2, 2));
    CHECK_FALSE(ring.reader.next());
}

TEST_CASE("RingReader: a head with a wrong kind or length is refused, and nothing is read beyond the ring") {
    Ends ring;
    IntBuffer ints;
    RingMemory::Line& line = ring.memory->shortLane[0];
    for (const int kind : {0, 4, 255}) {
        line.head = RingMemory::headOf(1, static_cast<Kind>(kind), 3);
        CHECK_THROWS_AS(static_cast<void>(ring.reader.next()), SerializationError);
    }
    for (const std::size_t intCount : {RingMemory::mostInts + 1, std::size_t{0xffffff}}) {
        line.head = RingMemory::headOf(1, Kind::Packet, intCount);
        CHECK(ring.reader.next() == Kind::Packet);
        CHECK_THROWS_AS(ring.reader.take(ints), SerializationError);
    }
    for (const std::uint32_t number : {0u, 2u, 0xffffffffu}) {
        line.head = RingMemory::headOf(number, Kind::Packet, 3);
        CHECK_FALSE(ring.reader.next());
    }
    line.head = RingMemory::headOf(1, Kind::Packet, 14);
    CHECK(ring.reader.next() == Kind::Packet);
    ring.reader.take(ints);
    CHECK(ints.size() == 14);
}

TEST_CASE("RingReader: any bytes in the ring give packets of allowed sizes or SerializationError") {
    std::uint32_t random = 12345;
    IntBuffer ints;
    std::size_t taken = 0;
    std::size_t refused = 0;
    for (int round = 0; round < 8000; ++round) {
        Ends fresh;
        try {
            for (std::uint32_t number = 1; number < 300; ++number) {
                // Every line of the lane is the head of the next packet.
                random = random * 1664525u + 1013904223u;
                const std::uint64_t head =
                    RingMemory::headOf(number, static_cast<Kind>(random >> 24 & 3), random >> 4 & (random & 4 ? 0xfff : 0x1fff));
                if ((random >> 8 & 1) != 0) {
                    for (RingMemory::Line& line : fresh.memory->shortLane) line.head = head;
                } else {
                    for (RingMemory::Line& line : fresh.memory->longLane) line.head = head;
                }
                const auto kind = fresh.reader.next();
                REQUIRE(kind.has_value());
                if (*kind == Kind::Packet) {
                    fresh.reader.take(ints);
                    CHECK(ints.size() <= RingMemory::mostInts);
                    ++taken;
                } else {
                    fresh.reader.skip();
                }
            }
        } catch (const SerializationError&) {
            ++refused;
        }
    }
    CHECK(taken > 1000);
    CHECK(refused > 1000);
}

TEST_CASE("RingWriter: damaged counts of the reader make the ring full, not the writer wrong") {
    Ends ring;
    CHECK(ring.writer.put(packetOf(20, 1)));
    for (const std::uint64_t taken :
         {std::uint64_t{0xffffffff00000000u}, std::uint64_t{0xffffffffu}, std::uint64_t{7}, ~std::uint64_t{0}}) {
        ring.memory->taken = taken;
        CHECK_FALSE(ring.writer.isDrained());
        for (std::size_t i = 0; i < 2 * (RingMemory::shortLines + RingMemory::longLines); ++i)
            static_cast<void>(ring.writer.put(packetOf(100, 1)));
    }
}

TEST_CASE("RingWriter: a writer and a reader on two threads exchange many packets in their order") {
    constexpr std::int32_t packetCount = test::isSanitized ? 100'000 : 1'000'000;
    Ends ring;
    std::thread writing([&] {
        std::vector<std::int32_t> packet;
        for (std::int32_t number = 0; number < packetCount; ++number) {
            packet.assign(static_cast<std::size_t>(1 + number % 37 + (number % 1001 == 0 ? 2000 : 0)), number);
            while (!(number % 5 == 4 ? ring.writer.mark() : ring.writer.put(packet))) std::this_thread::yield();
        }
    });
    IntBuffer ints;
    std::int32_t wrong = 0;
    for (std::int32_t number = 0; number < packetCount; ++number) {
        while (!ring.reader.hasNext()) std::this_thread::yield();
        const auto kind = ring.reader.next();
        if (number % 5 == 4) {
            wrong += kind == Kind::Mark ? 0 : 1;
            ring.reader.skip();
            continue;
        }
        ring.reader.take(ints);
        const std::size_t expected = static_cast<std::size_t>(1 + number % 37 + (number % 1001 == 0 ? 2000 : 0));
        const bool isRight = kind == Kind::Packet && ints.size() == expected &&
                             std::all_of(ints.ints().begin(), ints.ints().end(), [number](std::int32_t one) { return one == number; });
        wrong += isRight ? 0 : 1;
    }
    writing.join();
    CHECK(wrong == 0);
    CHECK(ring.writer.isDrained());
}

TEST_CASE("RingReader: a writer that dies while it writes a packet leaves the packets before it, and nothing of it") {
    constexpr std::size_t pageBytes = 65536;
    const auto bytesOf = [](std::size_t byteCount, int flags) {
        return static_cast<std::byte*>(::mmap(nullptr, byteCount, PROT_READ | PROT_WRITE, flags | MAP_ANONYMOUS, -1, 0));
    };
    for (const std::size_t before : {std::size_t{0}, std::size_t{3}, std::size_t{200}}) {
        std::byte* const shared = bytesOf(sizeof(RingMemory), MAP_SHARED);
        std::byte* const pages = bytesOf(2 * pageBytes, MAP_PRIVATE);
        const pid_t child = ::fork();
        if (child == 0) {
            RingWriter writer({shared, sizeof(RingMemory)});
            for (std::size_t i = 0; i < before; ++i) static_cast<void>(writer.put(packetOf(20, static_cast<std::int32_t>(i))));
            // The source of the copy ends in the middle of the packet.
            for (const int signal : {SIGSEGV, SIGBUS}) ::signal(signal, SIG_DFL);
            ::munmap(pages + pageBytes, pageBytes);
            const auto* const half = reinterpret_cast<const std::int32_t*>(pages + pageBytes) - 500;
            static_cast<void>(writer.put({half, 1000}));
            ::_exit(0);
        }
        int status = 0;
        REQUIRE(::waitpid(child, &status, 0) == child);
        REQUIRE(WIFSIGNALED(status));
        RingReader reader({shared, sizeof(RingMemory)});
        IntBuffer ints;
        for (std::size_t i = 0; i < before; ++i) {
            REQUIRE(reader.next() == Kind::Packet);
            reader.take(ints);
            REQUIRE(std::ranges::equal(ints.ints(), packetOf(20, static_cast<std::int32_t>(i))));
        }
        CHECK_FALSE(reader.next());
        ::munmap(shared, sizeof(RingMemory));
        ::munmap(pages, 2 * pageBytes);
    }
}
