#include <memory>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/serialization/Class.hpp>
#include <ferry/serialization/Fields.hpp>
#include <ferry/serialization/checkpoint/CheckpointFile.hpp>
#include <ferry/serialization/checkpoint/GraphFile.hpp>
#include <ferry/serialization/checkpoint/TypeText.hpp>
#include <ferry/serialization/exception/SerializationError.hpp>
#include <ferry/tests/support/TemporaryFolder.hpp>

// Files of classes whose destructors delete what their raw pointers lead to.

namespace ownedFileTest {

struct Tree {
    static inline int living = 0;
    int value = 0;
    Tree* left = nullptr;
    int count = 0;
    short* leaves = nullptr;
    Tree() { ++living; }
    Tree(const Tree&) = delete;
    Tree& operator=(const Tree&) = delete;
    ~Tree() {
        --living;
        delete left;
        delete[] leaves;
    }
    FERRY_FIELDS(value, ferry::owned(left), ferry::ownedArray(leaves, count))
};
struct SafeTree {
    int value = 0;
    std::unique_ptr<SafeTree> left;
    FERRY_FIELDS(value, left)
};
struct BareTree {
    int value = 0;
    BareTree* left = nullptr;
    ~BareTree() { delete left; }
    FERRY_FIELDS(value, ferry::owned(left))
};

struct Garden : ferry::IntSerializableObject {
    FERRY_CLASS(ownedFileTest::Garden)
    FERRY_FIELDS(ferry::owned(tree), ferry::owned(beside))
    Tree* tree = nullptr;
    ferry::IntSerializableObject* beside = nullptr;
    ~Garden() override {
        delete tree;
        delete beside;
    }
};

void grow(Tree& tree) {
    tree.value = 1;
    tree.left = new Tree;
    tree.left->value = 2;
    tree.left->count = 3;
    tree.left->leaves = new short[3]{7, 8, 9};
}

}    // namespace ownedFileTest

using namespace ownedFileTest;
using ferry::test::TemporaryFolder;

TEST_CASE("loadInto: a class that owns by raw pointers and cannot be copied") {
    const TemporaryFolder folder;
    {
        Tree tree, copy;
        grow(tree);
        grow(copy);
        ferry::save(folder / "tree", tree);
        for (int i = 0; i < 2; ++i) {
            ferry::loadInto(folder / "tree", copy);
            CHECK(copy.left->leaves[2] == 9);
        }
        CHECK(Tree::living == 4);

        Garden garden, other;
        garden.tree = new Tree;
        garden.beside = new Garden;
        ferry::save(folder / "garden", garden);
        ferry::loadInto(folder / "garden", other);
        CHECK(dynamic_cast<const Garden&>(*other.beside).tree == nullptr);
        std::unique_ptr<ferry::IntSerializableObject> pointer;
        ferry::loadInto(folder / "garden", pointer);
        CHECK(dynamic_cast<const Garden&>(*pointer).tree->value == 0);
        CHECK_THROWS_AS(ferry::loadInto(folder / "tree", other), ferry::FileError);
        CHECK_THROWS_AS(ferry::loadInto(folder / "garden", tree), ferry::FileError);
        CHECK(tree.value == 1);

        std::vector<int> numbers{1, 2, 3};
        ferry::save(folder / "numbers", std::vector<int>{4});
        ferry::loadInto(folder / "numbers", numbers);
        CHECK(numbers == std::vector<int>{4});
    }
    CHECK(Tree::living == 0);
}

TEST_CASE("saveGraph and loadGraph: a structure that owns itself by raw pointers") {
    const TemporaryFolder folder;
    {
        Tree tree;
        grow(tree);
        ferry::saveGraph(folder / "tree", ferry::graph(&tree));
        const auto copy = ferry::loadGraph<Tree>(folder / "tree");
        CHECK(copy->left->leaves[1] == 8);
    }
    CHECK(Tree::living == 0);
}

TEST_CASE("TypeText: owned pointers are as unique_ptr, owned arrays have a text of their own") {
    CHECK(ferry::detail::typeTextOf<Tree>() == "{int32,optional<^1>,ownedArray<int16,1>}");
    CHECK(ferry::detail::typeTextOf<BareTree>() == ferry::detail::typeTextOf<SafeTree>());
    const TemporaryFolder folder;
    BareTree tree;
    tree.left = new BareTree{5, nullptr};
    ferry::save(folder / "tree", tree);
    CHECK(ferry::load<SafeTree>(folder / "tree").left->value == 5);
}
