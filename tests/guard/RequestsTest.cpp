#include <ferry/guard/known/Requests.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <random>

#include <doctest/doctest.h>

using ferry::pmpi::RequestKind;
using ferry::pmpi::Requests;

namespace {

/// Returns a handle that is never passed to MPI.
MPI_Request handleOf(std::uint64_t number) {
    const std::uint64_t bits = 64 * (number + 1);
    MPI_Request request;
    std::memcpy(&request, &bits, sizeof(request));
    return request;
}

}    // namespace

TEST_CASE("Requests: after many additions and removals it holds the same requests as a map") {
    std::mt19937 random(3);
    Requests requests;
    std::map<std::uint64_t, RequestKind> expected;
    for (int i = 0; i < 20'000; ++i) {
        const std::uint64_t number = random() % 200;
        const auto kind = static_cast<RequestKind>(random() % 4);
        if (random() % 2 == 0) {
            requests.add(handleOf(number), {kind});
            expected.emplace(number, kind);
        } else {
            requests.remove(handleOf(number));
            expected.erase(number);
        }
    }
    CHECK(requests.count() == expected.size());
    for (std::uint64_t number = 0; number < 200; ++number) CHECK(requests.contains(handleOf(number)) == expected.contains(number));
    for (const Requests::Entry& entry : requests.all()) {
        std::uint64_t bits = 0;
        std::memcpy(&bits, &entry.request, sizeof(entry.request));
        REQUIRE(expected.contains(bits / 64 - 1));
        CHECK(expected[bits / 64 - 1] == entry.operation.kind);
    }
    requests.clear();
    CHECK(requests.isEmpty());
    CHECK(requests.all().empty());
}

TEST_CASE("Requests: MPI_REQUEST_NULL is never in it") {
    Requests requests;
    requests.add(MPI_REQUEST_NULL, {RequestKind::Send});
    CHECK(requests.isEmpty());
    CHECK_FALSE(requests.contains(MPI_REQUEST_NULL));
    requests.remove(MPI_REQUEST_NULL);
    CHECK(requests.isEmpty());
}
