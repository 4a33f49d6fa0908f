// Code of a program that uses Boost.Serialization: once with Boost's own binary archives, and once with those of Ferry.
// Only the two archive types and the lines that define them differ.
#include <sstream>

#include <doctest/doctest.h>

#include <ferry/tests/serialization/boost/LegacyTypes.hpp>

namespace {

using namespace legacy;

struct Session {
    Diary diary = makeDiary();
    Zoo zoo = makeZoo();
    std::shared_ptr<Member> family = makeHousehold().head;
    Settings settings{4, "blue"};
    std::vector<float> curve = std::vector<float>(100, 0.5f);
    Place places[2] = {{1, 2, Season::Summer, true, {1, 2, 3}}, {}};
};

template <class OutputArchive>
void saveSession(OutputArchive& archive, const Session& session) {
    archive << session.diary << session.zoo;
    archive << boost::serialization::make_nvp("family", session.family);
    archive& session.settings& session.curve& session.places;
}

template <class InputArchive>
Session loadSession(InputArchive& archive) {
    Session session{{}, {}, nullptr, {}, {}, {}};
    archive >> session.diary >> session.zoo;
    archive >> boost::serialization::make_nvp("family", session.family);
    archive& session.settings& session.curve& session.places;
    return session;
}

void checkSession(const Session& session) {
    const Session expected;
    CHECK(session.diary == expected.diary);
    REQUIRE(session.zoo.animals.size() == 3);
    CHECK(session.zoo.animals[0]->sound() == "woof, Rex");
    CHECK(session.zoo.favourite == session.zoo.oldest);
    REQUIRE(session.family != nullptr);
    CHECK(session.family->children.at(0)->parent.lock() == session.family);
    CHECK(session.settings == expected.settings);
    CHECK(session.curve == expected.curve);
    CHECK(session.places[0] == expected.places[0]);
}

}    // namespace

TEST_CASE("An existing program: saves and loads with Boost's own archives") {
    std::stringstream stream;
    {
        boost::archive::binary_oarchive archive(stream);
        saveSession(archive, Session());
    }
    boost::archive::binary_iarchive archive(stream);
    checkSession(loadSession(archive));
}

TEST_CASE("An existing program: saves and loads with Ferry's archives") {
    ferry::IntBuffer buffer;
    {
        ferry::IntWriter out(buffer);
        ferry::BoostOutputArchive archive(out);
        saveSession(archive, Session());
    }
    ferry::IntReader in(buffer.ints());
    ferry::BoostInputArchive archive(in);
    checkSession(loadSession(archive));
    CHECK(in.remaining() == 0);
}
