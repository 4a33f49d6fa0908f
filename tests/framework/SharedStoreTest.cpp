#include <ferry/framework/parcel/JobKind.hpp>
#include <ferry/framework/slave/SharedStore.hpp>

#include <vector>

#include <doctest/doctest.h>

#include <ferry/framework/parcel/SharedNotice.hpp>
#include <ferry/serialization/exception/SerializationError.hpp>
#include <ferry/serialization/exception/UsageError.hpp>
#include <ferry/serialization/ints/IntWriter.hpp>

using namespace ferry;

namespace {

using Ints = std::vector<std::int32_t>;

detail::Letter sharedLetter(std::int32_t key, std::int32_t version, const Ints& body) {
    IntBuffer ints(Ints(detail::Envelope::sizeInts, 0));
    ints.append(body);
    return detail::Letter{0, detail::Envelope{detail::JobKind::Shared, key, version}, std::move(ints)};
}

detail::Letter sharedVector(std::int32_t version, const Ints& object) {
    IntBuffer written;
    IntWriter out(written);
    out << object;
    out.finish();
    Ints body{static_cast<std::int32_t>(detail::SharedRoute::Direct)};
    body.insert(body.end(), written.ints().begin(), written.ints().end());
    return sharedLetter(detail::valueKey<Ints>, version, body);
}

detail::Envelope notice(std::int32_t version) { return detail::Envelope{detail::JobKind::SharedNotice, detail::valueKey<Ints>, version}; }

const ObjectFactory& factory() { return ObjectFactory::global(); }

}    // namespace

TEST_CASE("SharedStore: a version is in use from its notice on, whether object or notice came first") {
    detail::SharedStore store;
    CHECK_THROWS_AS(store.get<Ints>(factory()), UsageError);
    store.keep(sharedVector(2, {2, 2}));
    CHECK_FALSE(store.has(notice(1)));
    CHECK_THROWS_AS(store.get<Ints>(factory()), UsageError);
    store.keep(sharedVector(1, {1}));

    REQUIRE(store.has(notice(1)));
    store.use(notice(1));
    CHECK(store.get<Ints>(factory()) == Ints{1});
    CHECK(store.version<Ints>() == 1);
    REQUIRE(store.has(notice(2)));
    CHECK(store.get<Ints>(factory()) == Ints{1});
    store.use(notice(2));
    CHECK(store.get<Ints>(factory()) == Ints{2, 2});
    CHECK(store.version<Ints>() == 2);
}

TEST_CASE("SharedStore: a dropped object is gone, a version that comes twice counts once, and numbers may begin again") {
    detail::SharedStore store;
    store.keep(sharedVector(1, {1}));
    store.use(notice(1));
    REQUIRE(store.has(notice(detail::droppedVersion)));
    store.use(notice(detail::droppedVersion));
    CHECK_THROWS_AS(store.get<Ints>(factory()), UsageError);

    CHECK_FALSE(store.has(notice(1)));
    CHECK_THROWS_AS(store.use(notice(1)), UsageError);
    store.keep(sharedVector(2, {2}));
    store.keep(sharedVector(2, {3}));    // a second copy changes nothing
    store.use(notice(2));
    CHECK(store.get<Ints>(factory()) == Ints{2});
    CHECK_FALSE(store.has(notice(2)));
    store.keep(sharedVector(1, {4}));    // comes from another Master
    store.use(notice(1));
    CHECK(store.get<Ints>(factory()) == Ints{4});
}

TEST_CASE("SharedStore: versions before the one in use are not kept, and versions behind it are") {
    detail::SharedStore store;
    for (std::int32_t version = 1; version <= 4; ++version) store.keep(sharedVector(version, {version}));
    store.use(notice(3));    // no notice names the versions 1 and 2 any more
    CHECK_FALSE(store.has(notice(1)));
    CHECK_FALSE(store.has(notice(2)));
    CHECK_FALSE(store.has(notice(3)));
    REQUIRE(store.has(notice(4)));
    store.use(notice(4));
    CHECK(store.get<Ints>(factory()) == Ints{4});
}

TEST_CASE("SharedStore: damaged letters are refused") {
    detail::SharedStore store;
    CHECK_THROWS_WITH_AS(store.keep(sharedLetter(5, 0, {0, 1})), "expected the version of a shared object, found 0", SerializationError);
    CHECK_THROWS_AS(store.keep(sharedLetter(5, -3, {0, 1})), SerializationError);
    CHECK_THROWS_WITH_AS(store.keep(sharedLetter(5, 1, {})), "expected a shared object, found an empty letter", SerializationError);
    CHECK_THROWS_WITH_AS(store.keep(sharedLetter(5, 1, {2, 1})), "expected a shared object by route 0 or 1, found 2", SerializationError);
    store.keep(sharedLetter(detail::valueKey<Ints>, 1, {0, 5, 0, 1}));
    store.use(notice(1));
    CHECK_THROWS_AS(store.get<Ints>(factory()), SerializationError);
    CHECK_THROWS_AS(store.get<Ints>(factory()), SerializationError);
}
