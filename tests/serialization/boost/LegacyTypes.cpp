#include <ferry/tests/serialization/boost/LegacyTypes.hpp>

BOOST_CLASS_EXPORT_IMPLEMENT(legacy::Dog)
BOOST_CLASS_EXPORT_IMPLEMENT(legacy::Cow)
BOOST_CLASS_EXPORT_IMPLEMENT(legacy::Rock)

namespace legacy {

Diary makeDiary() {
    Diary diary;
    diary.note = std::string("exam at nine");
    diary.weather = std::string("fog");
    diary.marks = {{"algebra", {1, 2, 1}}, {"history", {}}};
    diary.rooms = {{3, "B-12"}, {70000, "A-1"}};
    diary.accounts = {Account("library", 250), Account("canteen", -3)};
    diary.flags = {true, false, true};
    diary.wide = L"wide";
    return diary;
}

Zoo makeZoo() {
    Zoo zoo;
    auto dog = std::make_unique<Dog>();
    dog->age = 3;
    dog->name = "Rex";
    auto cow = std::make_unique<Cow>();
    cow->milk = {1.5, 2.5};
    zoo.animals.push_back(std::move(dog));
    zoo.animals.push_back(std::move(cow));
    zoo.animals.push_back(nullptr);
    zoo.favourite = std::make_shared<Dog>();
    zoo.oldest = zoo.favourite;
    zoo.rock = std::make_unique<Rock>();
    zoo.rock->weight = 7;
    return zoo;
}

std::vector<std::unique_ptr<Node>> makeGraph() {
    std::vector<std::unique_ptr<Node>> nodes;
    for (int i = 0; i < 4; ++i) {
        nodes.push_back(std::make_unique<Node>());
        nodes.back()->value = 10 * i;
    }
    nodes[0]->next = {nodes[1].get(), nodes[2].get()};
    nodes[1]->next = {nodes[3].get()};
    nodes[2]->next = {nodes[3].get()};
    nodes[3]->next = {nodes[0].get()};
    return nodes;
}

Household makeHousehold() {
    auto parent = std::make_shared<Member>();
    parent->name = "Ada";
    for (const char* name : {"Bea", "Cem"}) {
        auto child = std::make_shared<Member>();
        child->name = name;
        child->parent = parent;
        parent->children.push_back(child);
    }
    parent->children[1]->children.push_back(parent->children[0]);
    return {parent};
}

}    // namespace legacy
