#include <ferry/serialization/ints/ClassId.hpp>

#include <array>
#include <set>
#include <string>

#include <doctest/doctest.h>

TEST_CASE("ClassId: released numbers never change") {
    CHECK(ferry::detail::classIdOf("Square") == 820887125);
    CHECK(ferry::detail::classIdOf("acme::Room") == 38258296);
    CHECK(ferry::detail::classIdOf("ferry::Exception") == -448958969);
    CHECK(ferry::detail::classIdOf("") == -1421968373);
}

TEST_CASE("ClassId: a hundred thousand similar names are spread over the low bits") {
    std::set<ferry::detail::ClassId> ids;
    std::array<int, 256> perBucket{};
    for (int i = 0; i < 100000; ++i) {
        const ferry::detail::ClassId id = ferry::detail::classIdOf("acme::Class" + std::to_string(i));
        CHECK_MESSAGE(id != 0, i);
        ids.insert(id);
        ++perBucket[static_cast<unsigned>(id) % 256];
    }
    CHECK(ids.size() > 99990);
    for (const int count : perBucket) {
        CHECK(count > 250);
        CHECK(count < 550);
    }
}

static_assert(ferry::detail::classIdOf("Room") != ferry::detail::classIdOf("room"));
