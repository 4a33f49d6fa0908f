#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <typeinfo>
#include <utility>
#include <vector>

#include <ferry/serialization/exception/SerializationError.hpp>
#include <ferry/tests/fuzz/FuzzCheck.hpp>
#include <ferry/tests/fuzz/PolymorphicTypes.hpp>

namespace ferry::test {

namespace {

/// Checks that the object has the class of its class ID, is whole, and derives from the type of the pointer that holds it.
template <class T>
void checkObject(const T& object) {
    const IntSerializableObject& root = object;
    if (typeid(root) != root.classType()) failCheck(root.className(), "the object is not of the class that it says");
    const std::unique_ptr<IntSerializableObject> fresh = ObjectFactory::global().create(root.classId());
    const IntSerializableObject& expected = *fresh;
    if (typeid(expected) != typeid(root)) failCheck(root.className(), "the object is not of the class of its class ID");
    if (dynamic_cast<const T*>(&root) != &object) failCheck(root.className(), "the object does not derive from what was asked for");
    if (const auto* visited = dynamic_cast<const Visited*>(&root)) {
        if (!visited->isWhole()) failCheck(root.className(), "an object that refused its data was handed out");
        visited->visit([](const auto& inner) { checkObject(inner); });
    }
}

template <class T>
void checkPointer(const std::unique_ptr<T>& pointer) {
    if (pointer) checkObject(*pointer);
}
template <class T>
void checkPointer(const std::shared_ptr<T>& pointer) {
    if (pointer) checkObject(*pointer);
}
template <class T>
void checkPointer(const std::weak_ptr<T>& pointer) {
    checkPointer(pointer.lock());
}

struct CheckPointers {
    template <class T>
    void operator()(const T& pointers) const {
        for (const auto& pointer : pointers) checkPointer(pointer);
    }
    void operator()(const Collection& collection) const { checkObject(collection); }
};

template <class T>
std::vector<std::unique_ptr<T>> oneOf(std::unique_ptr<T> first) {
    std::vector<std::unique_ptr<T>> all;
    all.push_back(std::move(first));
    all.emplace_back();
    return all;
}

std::vector<std::unique_ptr<Shape>> manyShapes() {
    std::vector<std::unique_ptr<Shape>> shapes;
    shapes.push_back(std::make_unique<Circle>());
    shapes.push_back(std::make_unique<Label>());
    auto group = std::make_unique<Group>();
    group->members.push_back(std::make_unique<Circle>());
    group->members.push_back(std::make_unique<Picky>());
    group->members.push_back(std::make_unique<Group>());
    shapes.push_back(std::move(group));
    shapes.push_back(std::make_unique<RoundLabel>());
    shapes.push_back(nullptr);
    return shapes;
}

Collection makeCollection() {
    Collection collection;
    auto node = std::make_shared<Node>();
    auto other = std::make_shared<BigNode>();
    node->next = other;
    other->back = node;
    other->shape = std::make_unique<Circle>();
    collection.nodes = {node, other, nullptr, node};
    collection.named = std::make_shared<Both>();
    collection.swimmer = std::make_shared<Both>();
    collection.anything = node;
    return collection;
}

constexpr std::size_t PolymorphicSlack = 64 * 1024;

using ManyShared = std::vector<std::shared_ptr<Node>>;

class PolymorphicTarget final : public FuzzTarget {
public:
    std::string_view name() const override { return "polymorphic"; }

    std::vector<IntBuffer> seeds() const override {
        std::vector<IntBuffer> seeds;
        seeds.push_back(seedOf(0, manyShapes()));
        seeds.push_back(seedOf(1, makeCollection()));
        seeds.push_back(seedOf(2, oneOf<Label>(std::make_unique<RoundLabel>())));
        seeds.push_back(seedOf(3, oneOf<Swimmer>(std::make_unique<Both>())));
        seeds.push_back(seedOf(4, oneOf<Walker>(std::make_unique<Both>())));
        seeds.push_back(seedOf(5, oneOf<IntSerializableObject>(std::make_unique<Picky>())));
        seeds.push_back(seedOf(5, oneOf<IntSerializableObject>(std::make_unique<NewDog>())));
        seeds.push_back(seedOf(6, ManyShared{std::make_shared<BigNode>(), std::make_shared<Node>()}));
        seeds.push_back(seedOf(7, oneOf<Animal>(std::make_unique<NewDog>())));
        return seeds;
    }

    Outcome run(std::span<const std::int32_t> ints) override {
        if (ints.empty()) return Outcome::Refused;
        const std::span<const std::int32_t> rest = ints.subspan(1);
        const auto read = [&]<class T>(std::type_identity<T>) { return checkReading<T>(use_, rest, CheckPointers()); };
        switch (static_cast<std::uint32_t>(ints[0]) % 8) {
            case 0: return read(std::type_identity<std::vector<std::unique_ptr<Shape>>>());
            case 1: return read(std::type_identity<Collection>());
            case 2: return read(std::type_identity<std::vector<std::unique_ptr<Label>>>());
            case 3: return read(std::type_identity<std::vector<std::unique_ptr<Swimmer>>>());
            case 4: return read(std::type_identity<std::vector<std::unique_ptr<Walker>>>());
            case 5: return readFirst(rest);
            case 6: return read(std::type_identity<ManyShared>());
            default: return read(std::type_identity<std::vector<std::unique_ptr<Animal>>>());
        }
    }

    std::vector<MemoryUse> measureMemory() override {
        constexpr std::int32_t Count = 60'000;
        std::vector<MemoryUse> uses;
        const auto measure = [&](std::string name, std::int32_t selector, auto addElement) {
            use_ = allowed();
            Ints ints{selector, Count};
            for (std::int32_t i = 1; i <= Count; ++i) addElement(ints, i);
            if (run(ints) == Outcome::Refused) failCheck(name, "a long message was refused");
            uses.push_back(use_);
            uses.back().name = std::move(name);
        };
        measure("vector<unique_ptr<Base>>", 0, [](Ints& ints, std::int32_t) { ints.insert(ints.end(), {Group().classId(), 0}); });
        measure("vector<shared_ptr<Base>>", 6, [](Ints& ints, std::int32_t i) {
            ints.insert(ints.end(), {-i, Node().classId(), 0, 0, 0});
        });
        use_ = allowed();
        return uses;
    }

private:
    /// Checks further that the first object has the class whose ID is in the message.
    Outcome readFirst(std::span<const std::int32_t> ints) {
        return checkReading<std::vector<std::unique_ptr<IntSerializableObject>>>(use_, ints, [&](const auto& objects) {
            CheckPointers()(objects);
            if (!objects.empty() && objects[0] && objects[0]->classId() != ints[1])
                failCheck(objects[0]->className(), "the object is not of the class whose ID was sent");
        });
    }

    /// A shared object takes two ints. In memory it takes a pointer of 16 bytes (48 while a vector doubles),
    /// 56 bytes in the reader's table (168), and up to 300 bytes for the object itself.
    static MemoryUse allowed() { return {"polymorphic", 16, 72, PolymorphicSlack}; }

    MemoryUse use_ = allowed();
};

}    // namespace

std::unique_ptr<FuzzTarget> makePolymorphicTarget() { return std::make_unique<PolymorphicTarget>(); }

}    // namespace ferry::test
