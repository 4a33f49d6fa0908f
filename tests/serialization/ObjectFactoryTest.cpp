#include <ferry/serialization/ints/ObjectFactory.hpp>

#include <atomic>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/serialization/Fields.hpp>
#include <ferry/serialization/exception/SerializationError.hpp>
#include <ferry/serialization/exception/UnknownClass.hpp>
#include <ferry/serialization/exception/UsageError.hpp>
#include <ferry/tests/support/Together.hpp>

namespace factorytest {

class Animal : public ferry::IntSerializableObject {
public:
    virtual std::string voice() const = 0;
};

class Dog : public Animal {
public:
    FERRY_CLASS(factorytest::Dog)
    FERRY_FIELDS(age)
    std::string voice() const override { return "woof"; }
    int age = 1;
};

class Puppy : public Dog {
public:
    FERRY_CLASS(factorytest::Puppy)
    std::string voice() const override { return "wif"; }
};

class Stone : public ferry::IntSerializableObject {
public:
    FERRY_CLASS(factorytest::Stone)
    FERRY_FIELDS()
};

struct Swimmer : virtual ferry::IntSerializableObject {
    int strokes = 3;
};
struct Walker : virtual ferry::IntSerializableObject {
    int legs = 4;
};
class Duck : public Swimmer, public Walker {
public:
    FERRY_CLASS(factorytest::Duck)
    FERRY_FIELDS(strokes, legs)
};

class Rocket : public ferry::IntSerializableObject {
public:
    FERRY_CLASS(factorytest::Rocket)
    FERRY_FIELDS()
    Rocket() { ++launched; }
    static inline int launched = 0;
};

}    // namespace factorytest

using namespace factorytest;
using ferry::ObjectFactory;

TEST_CASE("ObjectFactory: FERRY_CLASS registers before main") {
    const ferry::detail::ClassId id = ferry::detail::classIdOf("factorytest::Dog");
    CHECK(ObjectFactory::global().contains(id));
    CHECK(ObjectFactory::global().nameOf(id) == "factorytest::Dog");
    CHECK_NOTHROW(ObjectFactory::global().verify());
}

TEST_CASE("ObjectFactory: makes objects of the class with the ID") {
    ObjectFactory factory;
    factory.add<Dog>();
    factory.add<Puppy>();
    CHECK(factory.createAs<Animal>(Dog().classId())->voice() == "woof");
    CHECK(factory.createAs<Dog>(Puppy().classId())->voice() == "wif");
    CHECK(std::string(factory.create(Puppy().classId())->className()) == "factorytest::Puppy");
}

TEST_CASE("ObjectFactory: virtual bases are found") {
    ObjectFactory factory;
    factory.add<Duck>();
    CHECK(factory.createAs<Walker>(Duck().classId())->legs == 4);
    CHECK(factory.createAs<Swimmer>(Duck().classId())->strokes == 3);
}

TEST_CASE("ObjectFactory: an unknown ID is named, with the way out") {
    const ObjectFactory factory;
    try {
        factory.create(4711);
        FAIL("create returned");
    } catch (const ferry::UnknownClass& error) {
        CHECK(error.unknownId() == 4711);
        CHECK(error.kind() == ferry::ErrorKind::Unsupported);
        const std::string text = error.what();
        CHECK(text.find("4711") != std::string::npos);
        CHECK(text.find("FERRY_CLASS") != std::string::npos);
        CHECK(text.find("add<T>()") != std::string::npos);
    }
    CHECK_FALSE(factory.contains(4711));
    CHECK_FALSE(factory.contains(0));
    CHECK(factory.nameOf(4711) == "unknown class 4711");
}

TEST_CASE("ObjectFactory: an object that is not of the expected class is refused, naming both") {
    ObjectFactory factory;
    factory.add<Stone>();
    try {
        factory.createAs<Animal>(Stone().classId());
        FAIL("createAs returned");
    } catch (const ferry::SerializationError& error) {
        const std::string text = error.what();
        CHECK(text.find("factorytest::Animal") != std::string::npos);
        CHECK(text.find("factorytest::Stone") != std::string::npos);
    }
}

TEST_CASE("ObjectFactory: each base of a class is looked up for itself, time and again") {
    ObjectFactory factory;
    factory.add<Dog>();
    factory.add<Puppy>();
    factory.add<Duck>();
    for (int round = 0; round < 3; ++round) {
        CHECK(factory.createAs<Animal>(Puppy().classId())->voice() == "wif");
        CHECK(factory.createAs<Puppy>(Puppy().classId())->voice() == "wif");
        CHECK_THROWS_AS(factory.createAs<Puppy>(Dog().classId()), ferry::SerializationError);
        CHECK(factory.createAs<Swimmer>(Duck().classId())->strokes == 3);
        CHECK(factory.createAs<Walker>(Duck().classId())->legs == 4);
        CHECK(std::string(factory.createAs<ferry::IntSerializableObject>(Duck().classId())->className()) == "factorytest::Duck");
    }
}

TEST_CASE("ObjectFactory: adding a class again changes nothing") {
    ObjectFactory factory;
    factory.add<Dog>();
    const auto fingerprint = factory.fingerprint();
    factory.add<Dog>();
    CHECK(factory.classes().size() == 1);
    CHECK(factory.fingerprint() == fingerprint);
    CHECK_NOTHROW(factory.verify());
}

TEST_CASE("ObjectFactory: two classes with one name are refused, naming both") {
    ObjectFactory factory;
    factory.add(ferry::detail::classInfoAs<Dog>("Pet", ferry::detail::classIdOf("Pet")));
    factory.add(ferry::detail::classInfoAs<Stone>("Pet", ferry::detail::classIdOf("Pet")));
    factory.add(ferry::detail::classInfoAs<Stone>("Pet", ferry::detail::classIdOf("Pet")));
    try {
        factory.verify();
        FAIL("verify returned");
    } catch (const ferry::UsageError& error) {
        const std::string text = error.what();
        CHECK(text.find("classes factorytest::Dog and factorytest::Stone have one wire name, Pet: give one of them another wire name") ==
              0);
        CHECK(text.find("FERRY_CLASS_NAMED(Pet, \"another::Name\")") != std::string::npos);
        CHECK(error.kind() == ferry::ErrorKind::Bug);
    }
}

TEST_CASE("ObjectFactory: a clash of names tells where both classes stand") {
    ObjectFactory factory;
    factory.add<Dog>();
    ferry::detail::ClassInfo stone = ferry::detail::classInfoOf<Stone>();
    stone.name = "factorytest::Dog";
    stone.id = ferry::detail::classIdFor<Dog>;
    factory.add(stone);
    std::string text;
    try {
        factory.verify();
    } catch (const ferry::UsageError& error) {
        text = error.what();
    }
    CHECK(text.find("ObjectFactoryTest.cpp:24) and factorytest::Stone (") != std::string::npos);
    CHECK(text.find("ObjectFactoryTest.cpp:38) have one wire name, factorytest::Dog") != std::string::npos);
    CHECK(text.find("FERRY_CLASS_NAMED(Dog, ") != std::string::npos);
}

TEST_CASE("ObjectFactory: two names with one ID are refused, naming both") {
    ObjectFactory factory;
    factory.add(ferry::detail::classInfoAs<Dog>("Dog", 7));
    factory.add(ferry::detail::classInfoAs<Stone>("Stone", 7));
    try {
        factory.verify();
        FAIL("verify returned");
    } catch (const ferry::UsageError& error) {
        const std::string text = error.what();
        CHECK(text.find("classes factorytest::Dog and factorytest::Stone have one class ID, 7 (of Dog and Stone)") == 0);
    }
}

TEST_CASE("ObjectFactory: classes are ordered by ID, and the fingerprint depends on their names only") {
    ObjectFactory forward, backward;
    forward.add<Dog>();
    forward.add<Puppy>();
    forward.add<Stone>();
    backward.add<Stone>();
    backward.add<Puppy>();
    backward.add<Dog>();
    const auto classes = forward.classes();
    REQUIRE(classes.size() == 3);
    CHECK(classes[0].id < classes[1].id);
    CHECK(classes[1].id < classes[2].id);
    CHECK(forward.fingerprint() == backward.fingerprint());
    backward.add<Duck>();
    CHECK(forward.fingerprint() != backward.fingerprint());
}

TEST_CASE("ObjectFactory: no object is made of a class that is not expected") {
    ObjectFactory factory;
    factory.add<Rocket>();
    factory.add<Duck>();
    const ferry::detail::ClassId id = ferry::detail::classIdOf("factorytest::Rocket");
    const std::vector<std::int32_t> ints{id};
    ferry::IntReader in(ints, factory);
    const int before = Rocket::launched;
    for (int i = 0; i < 3; ++i) {
        CHECK_THROWS_AS(factory.createAs<Animal>(id), ferry::SerializationError);
        CHECK_THROWS_AS(factory.readAs<Swimmer>(id, in), ferry::SerializationError);
        CHECK_THROWS_AS(factory.requireDerived<Duck>(id), ferry::SerializationError);
    }
    CHECK(Rocket::launched == before);
    CHECK(factory.createAs<Rocket>(id) != nullptr);
    CHECK(factory.createAs<Walker>(ferry::detail::classIdOf("factorytest::Duck"))->legs == 4);
}

TEST_CASE("ObjectFactory: thousands of classes are found again") {
    ObjectFactory factory;
    for (int i = 1; i <= 5000; ++i) factory.add(ferry::detail::classInfoAs<Dog>("Dog" + std::to_string(i), i * 64));
    bool allFound = true;
    for (int i = 1; i <= 5000; ++i) allFound = allFound && factory.nameOf(i * 64) == "Dog" + std::to_string(i);
    CHECK(allFound);
    CHECK_FALSE(factory.contains(63));
}

TEST_CASE("ObjectFactory: classes are added while others are looked up") {
    ObjectFactory factory;
    factory.add<Puppy>();
    std::atomic<bool> isDone = false;
    std::atomic<int> missed = 0;
    std::vector<std::thread> readers;
    for (int i = 0; i < 3; ++i) {
        readers.emplace_back([&] {
            while (!isDone) {
                if (!factory.contains(Puppy().classId()) || factory.createAs<Dog>(Puppy().classId()) == nullptr) ++missed;
            }
        });
    }
    for (int i = 1; i <= 2000; ++i) factory.add(ferry::detail::classInfoAs<Dog>("Dog" + std::to_string(i), i));
    isDone = true;
    for (std::thread& reader : readers) reader.join();
    CHECK(missed == 0);
    CHECK(factory.classes().size() == 2001);
}

TEST_CASE("ObjectFactory: several threads add classes, and each class is there") {
    constexpr int threadCount = 4;
    constexpr int ownCount = 500;
    ObjectFactory factory;
    ferry::test::runTogether(threadCount, [&factory](int thread) {
        for (int i = 0; i < ownCount; ++i) {
            const int id = 1 + thread * ownCount + i;
            factory.add(ferry::detail::classInfoAs<Dog>("Dog" + std::to_string(id), id));
        }
    });
    CHECK(factory.classes().size() == threadCount * ownCount);
    bool allFound = true;
    for (int id = 1; id <= threadCount * ownCount; ++id) allFound = allFound && factory.nameOf(id) == "Dog" + std::to_string(id);
    CHECK(allFound);
}

TEST_CASE("ObjectFactory: classes with one ID are told while another thread adds more of them") {
    std::atomic<int> brokenTexts = 0;
    for (int round = 0; round < 100; ++round) {
        ObjectFactory factory;
        const auto addDog = [&factory](int line) {
            const std::string name = "Dog" + std::to_string(line);
            ferry::detail::ClassInfo info = ferry::detail::classInfoAs<Dog>(name, 1);
            info.place = {"dogs.cpp", line, "dogs.cpp"};
            factory.add(info);
        };
        addDog(1);
        addDog(2);
        std::atomic<bool> isDone = false;
        ferry::test::runTogether(2, [&](int thread) {
            if (thread == 0) {
                for (int line = 3; line <= 70; ++line) addDog(line);
                isDone = true;
                return;
            }
            do {
                try {
                    factory.verify();
                    ++brokenTexts;
                } catch (const ferry::UsageError& error) {
                    const std::string text = error.what();
                    if (!text.starts_with("classes ") || !text.ends_with("\")")) ++brokenTexts;
                }
            } while (!isDone);
        });
    }
    CHECK(brokenTexts == 0);
}
