#include <ferry/tests/serialization/pairs/PairKinds.hpp>

#include <algorithm>

namespace ferry::test::pairs {

namespace {

std::unique_ptr<Item> makeItem(int number) {
    auto item = std::make_unique<Item>();
    item->number = number;
    item->name = "item " + std::to_string(number);
    return item;
}
std::unique_ptr<Shape> makeShape(int number) {
    std::unique_ptr<Shape> shape;
    if (number % 2 == 0) {
        auto round = std::make_unique<Round>();
        round->radius = number / 3.0;
        shape = std::move(round);
    } else {
        auto square = std::make_unique<Square>();
        square->title = "square " + std::to_string(number);
        shape = std::move(square);
    }
    shape->number = number;
    return shape;
}
Item* loose(World& world, int number) {
    for (const auto& item : world.loose) {
        if (item->number == number) return item.get();
    }
    world.loose.push_back(makeItem(number));
    return world.loose.back().get();
}
std::shared_ptr<Item> shared(World& world, int number) {
    for (const auto& item : world.shares) {
        if (item->number == number) return item;
    }
    world.shares.push_back(makeItem(number));
    return world.shares.back();
}

}    // namespace

bool Teller::isNew(const void* object) {
    const auto [place, isFirst] = numbers_.emplace(object, static_cast<int>(numbers_.size()));
    (*this)(place->second);
    return isFirst;
}

void Teller::tell(const Item* item) {
    if (item == nullptr) return (*this)("null");
    const Item* first = items_.data();
    if (item >= first && item <= first + items_.size()) {
        (*this)("element");
        (*this)(item - first);
        return;
    }
    if (!isNew(item)) return;
    (*this)(item->number);
    (*this)(item->name);
}

void Teller::tell(const Shape* shape) {
    for (; shape != nullptr; shape = shape->next) {
        if (!isNew(dynamic_cast<const void*>(shape))) return;
        (*this)(shape->number);
        if (const auto* round = dynamic_cast<const Round*>(shape)) (*this)(static_cast<long long>(round->radius * 1000));
        if (const auto* square = dynamic_cast<const Square*>(shape)) (*this)(square->title);
    }
    (*this)("null");
}

namespace kinds {

void Number::fill(double& member, World&, int node) { member = node + 0.25; }
void Number::tell(Teller& teller, const double& member) { teller(static_cast<long long>(member * 4)); }

void Text::fill(std::string& member, World&, int node) { member.assign(static_cast<std::size_t>(node * 3), 'x'); }
void Text::tell(Teller& teller, const std::string& member) { teller(member); }

void Numbers::fill(std::vector<int>& member, World&, int node) { member.assign(static_cast<std::size_t>(node), node); }
void Numbers::tell(Teller& teller, const std::vector<int>& member) {
    for (const int number : member) teller(number);
}

void Bits::fill(std::vector<bool>& member, World&, int node) { member.assign(static_cast<std::size_t>(node * 17), node % 2 == 0); }
void Bits::tell(Teller& teller, const std::vector<bool>& member) {
    teller(static_cast<long long>(member.size()));
    teller(std::count(member.begin(), member.end(), true));
}

/// Node 1 shares the array of node 0. Node 3 has no array.
void BulkArray::fill(Signal& member, World& world, int node) {
    if (node == 3) return;
    member.count = 3;
    if (node != 1 || world.samples.empty()) {
        world.samples.push_back(std::make_unique<double[]>(3));
        for (std::size_t i = 0; i < 3; ++i) world.samples.back()[i] = node + static_cast<double>(i);
    }
    member.samples = world.samples.back().get();
}
void BulkArray::tell(Teller& teller, const Signal& member) {
    teller(member.count);
    if (member.samples == nullptr || !teller.isNew(member.samples)) return;
    for (int i = 0; i < member.count; ++i) teller(static_cast<long long>(member.samples[i]));
}

void ObjectArray::fill(Crowd& member, World& world, int node) {
    if (node == 3) return;
    member.count = 2;
    if (node != 1 || world.crowds.empty()) {
        world.crowds.push_back(std::make_unique<Item[]>(2));
        world.crowds.back()[0].number = node;
        world.crowds.back()[1].name = "last";
    }
    member.items = world.crowds.back().get();
}
void ObjectArray::tell(Teller& teller, const Crowd& member) {
    for (std::size_t i = 0; i < member.count; ++i) teller.tell(&member.items[i]);
}

void Unique::fill(std::unique_ptr<Item>& member, World&, int node) {
    if (node != 1) member = makeItem(node);
}
void Unique::tell(Teller& teller, const std::unique_ptr<Item>& member) { teller.tell(member.get()); }

void Shared::fill(std::shared_ptr<Item>& member, World& world, int node) {
    if (node != 1) member = shared(world, node % 2);
}
void Shared::tell(Teller& teller, const std::shared_ptr<Item>& member) { teller.tell(member.get()); }

void Weak::fill(std::weak_ptr<Item>& member, World& world, int node) {
    if (node != 2) member = shared(world, node % 2);
}
void Weak::tell(Teller& teller, const std::weak_ptr<Item>& member) { teller.tell(member.lock().get()); }

void Raw::fill(Item*& member, World& world, int node) {
    if (node != 2) member = loose(world, node % 2);
}
void Raw::tell(Teller& teller, Item* const& member) { teller.tell(member); }

void Element::fill(const Item*& member, World& world, int node) {
    member = &world.items[static_cast<std::size_t>(node) % world.items.size()];
}
void Element::tell(Teller& teller, const Item* const& member) { teller.tell(member); }

void UniqueShape::fill(std::unique_ptr<Shape>& member, World& world, int node) {
    if (node == 2) return;
    member = makeShape(node);
    if (!world.looseShapes.empty()) member->next = world.looseShapes.front().get();
}
void UniqueShape::tell(Teller& teller, const std::unique_ptr<Shape>& member) { teller.tell(member.get()); }

void SharedShape::fill(std::shared_ptr<Shape>& member, World& world, int node) {
    if (world.shapes.size() < 2) {
        world.shapes.push_back(makeShape(node));
        world.shapes.back()->next = world.shapes.front().get();    // the first shape points to itself
    }
    member = world.shapes[static_cast<std::size_t>(node) % world.shapes.size()];
}
void SharedShape::tell(Teller& teller, const std::shared_ptr<Shape>& member) { teller.tell(member.get()); }

void RawShape::fill(Shape*& member, World& world, int node) {
    if (node == 2) return;
    world.looseShapes.push_back(makeShape(node));
    world.looseShapes.back()->next = world.looseShapes.front().get();
    member = world.looseShapes.back().get();
}
void RawShape::tell(Teller& teller, Shape* const& member) { teller.tell(member); }

void UniqueForm::fill(std::unique_ptr<Form>& member, World&, int node) {
    if (node == 2) return;
    if (node % 2 == 0) {
        auto disc = std::make_unique<Disc>();
        disc->radius = node + 0.5;
        member = std::move(disc);
    } else {
        auto label = std::make_unique<Label>();
        label->title = "label " + std::to_string(node);
        member = std::move(label);
    }
    member->number = node;
}
void UniqueForm::tell(Teller& teller, const std::unique_ptr<Form>& member) {
    if (member == nullptr) return teller("null");
    teller(member->number);
    if (const auto* disc = dynamic_cast<const Disc*>(member.get())) teller(static_cast<long long>(disc->radius * 2));
    if (const auto* label = dynamic_cast<const Label*>(member.get())) teller(label->title);
}

void OptionalOwner::fill(std::optional<std::unique_ptr<Item>>& member, World&, int node) {
    if (node != 0) member.emplace(node == 1 ? nullptr : makeItem(node));
}
void OptionalOwner::tell(Teller& teller, const std::optional<std::unique_ptr<Item>>& member) {
    teller(member.has_value());
    if (member) teller.tell(member->get());
}

void VariantOwner::fill(OwnerVariant& member, World& world, int node) {
    if (node == 0) member = 7;
    if (node == 1) member = makeItem(node);
    if (node > 1) member = shared(world, 1);
}
void VariantOwner::tell(Teller& teller, const OwnerVariant& member) {
    teller(static_cast<long long>(member.index()));
    if (member.index() == 0) teller(std::get<0>(member));
    if (member.index() == 1) teller.tell(std::get<1>(member).get());
    if (member.index() == 2) teller.tell(std::get<2>(member).get());
}

void PointerMap::fill(PointerMapType& member, World& world, int node) {
    for (int i = 0; i < node; ++i) member[i] = i % 2 == 0 ? loose(world, i) : &world.items.front();
}
void PointerMap::tell(Teller& teller, const PointerMapType& member) {
    for (const auto& [key, item] : member) {
        teller(key);
        teller.tell(item);
    }
}

void PointerSet::fill(std::set<Item*>& member, World& world, int node) {
    for (int i = 0; i < node; ++i) member.insert(loose(world, i + 10));
}
void PointerSet::tell(Teller& teller, const std::set<Item*>& member) {
    std::vector<Item*> sorted(member.begin(), member.end());
    std::sort(sorted.begin(), sorted.end(), [](const Item* left, const Item* right) { return left->number < right->number; });
    for (const Item* item : sorted) teller.tell(item);
}

void Owners::fill(std::vector<std::unique_ptr<Item>>& member, World&, int node) {
    for (int i = 0; i < node; ++i) member.push_back(i == 1 ? nullptr : makeItem(i));
}
void Owners::tell(Teller& teller, const std::vector<std::unique_ptr<Item>>& member) {
    for (const auto& item : member) teller.tell(item.get());
}

void Nested::fill(Plain& member, World&, int node) { member = {static_cast<short>(node), "nested"}; }
void Nested::tell(Teller& teller, const Plain& member) {
    teller(member.code);
    teller(member.text);
}

void WithBase::fill(Derived& member, World&, int node) {
    member.below = node;
    member.above = "above";
}
void WithBase::tell(Teller& teller, const Derived& member) {
    teller(member.below);
    teller(member.above);
}

void Pointers::fill(std::vector<Item*>& member, World& world, int node) {
    for (int i = 0; i < node; ++i) member.push_back(i == 1 ? nullptr : loose(world, i));
    if (node > 1) member.push_back(world.items.data() + world.items.size());
}
void Pointers::tell(Teller& teller, const std::vector<Item*>& member) {
    for (const Item* item : member) teller.tell(item);
}

void PointerArray::fill(PointerArrayType& member, World& world, int node) { member = {loose(world, node), nullptr, &world.items[1]}; }
void PointerArray::tell(Teller& teller, const PointerArrayType& member) {
    for (const Item* item : member) teller.tell(item);
}

void Block::fill(std::vector<Plain>& member, World&, int node) { member.assign(static_cast<std::size_t>(node), Plain{1, "block"}); }
void Block::tell(Teller& teller, const std::vector<Plain>& member) {
    for (const Plain& plain : member) Nested::tell(teller, plain);
}

void FixedArray::fill(FixedArrayType& member, World&, int node) { member = {Plain{static_cast<short>(node), "a"}, Plain{2, "b"}}; }
void FixedArray::tell(Teller& teller, const FixedArrayType& member) {
    for (const Plain& plain : member) Nested::tell(teller, plain);
}

void Dictionary::fill(DictionaryType& member, World&, int node) {
    for (int i = 0; i < node; ++i) member["key " + std::to_string(i)] = Plain{static_cast<short>(i), "entry"};
}
void Dictionary::tell(Teller& teller, const DictionaryType& member) {
    for (const auto& [key, plain] : member) {
        teller(key);
        Nested::tell(teller, plain);
    }
}

void Viewed::fill(Shown& member, World&, int node) {
    member.seen = node;
    member.more = {node, 1};
}
void Viewed::tell(Teller& teller, const Shown& member) {
    teller(member.seen);
    for (const int number : member.more) teller(number);
}

void EndOfBlock::fill(EndPointer& member, World& world, int node) {
    Item* first = world.items.data();
    member = {first + node % 3, first + world.items.size()};
}
void EndOfBlock::tell(Teller& teller, const EndPointer& member) {
    teller.tell(member.begin);
    teller.tell(member.end);
}

}    // namespace kinds

}    // namespace ferry::test::pairs
