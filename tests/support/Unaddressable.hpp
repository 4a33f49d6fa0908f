#pragma once

// Classes whose operator& must not be called. What compiles with them takes addresses with std::addressof() alone.
#include <array>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include <ferry/serialization/Fields.hpp>

namespace ferry::test {

/// A struct without a list of fields.
struct UnaddressablePlain {
    int number = 0;
    double weight = 0;
    void operator&() const = delete;
    bool operator<(const UnaddressablePlain& other) const { return number < other.number; }
    bool operator==(const UnaddressablePlain&) const = default;
};

/// A class with a list of fields, which has a text and so cannot travel as its bytes.
class UnaddressableRecord {
public:
    UnaddressableRecord() = default;
    explicit UnaddressableRecord(int theNumber) : number(theNumber), text(std::to_string(theNumber)) {}
    int number = 0;
    std::string text;
    FERRY_FIELDS(number, text)
    void operator&() const = delete;
    bool operator==(const UnaddressableRecord& other) const { return number == other.number && text == other.text; }
};

/// The classes above inside of each standard type.
struct UnaddressableMembers {
    std::vector<UnaddressablePlain> plains;
    std::vector<UnaddressableRecord> records;
    std::map<int, UnaddressableRecord> byNumber;
    std::set<UnaddressablePlain> ordered;
    std::deque<UnaddressableRecord> queue;
    std::optional<UnaddressablePlain> maybe;
    std::variant<int, UnaddressableRecord> either;
    UnaddressablePlain row[3];
    std::array<UnaddressableRecord, 2> pair;
    std::unique_ptr<UnaddressablePlain> owned;
    std::shared_ptr<UnaddressableRecord> shared;
    std::tuple<UnaddressablePlain, UnaddressableRecord> both;
    FERRY_FIELDS(plains, records, byNumber, ordered, queue, maybe, either, row, pair, owned, shared, both)
    void operator&() const = delete;

    static UnaddressableMembers example() {
        UnaddressableMembers made;
        made.plains = {{1, 0.5}, {2, 1.5}};
        made.records = {UnaddressableRecord(3), UnaddressableRecord(4)};
        made.byNumber.emplace(5, UnaddressableRecord(5));
        made.ordered = {{7, 0}, {6, 0}};
        made.queue.emplace_back(8);
        made.maybe = UnaddressablePlain{9, 0};
        made.either = UnaddressableRecord(10);
        made.row[2].number = 11;
        made.pair[1] = UnaddressableRecord(12);
        made.owned = std::make_unique<UnaddressablePlain>(UnaddressablePlain{13, 0});
        made.shared = std::make_shared<UnaddressableRecord>(14);
        made.both = {UnaddressablePlain{15, 0}, UnaddressableRecord(16)};
        return made;
    }
    bool operator==(const UnaddressableMembers& other) const {
        return plains == other.plains && records == other.records && byNumber == other.byNumber && ordered == other.ordered &&
               queue == other.queue && maybe == other.maybe && either == other.either && row[2] == other.row[2] && pair == other.pair &&
               *owned == *other.owned && *shared == *other.shared && both == other.both;
    }
};

/// A node of a graph, with each kind of pointer.
struct UnaddressableNode {
    int value = 0;
    UnaddressableNode* next = nullptr;
    std::unique_ptr<UnaddressableNode> owned;
    std::shared_ptr<UnaddressableNode> shared;
    std::weak_ptr<UnaddressableNode> weak;
    std::vector<UnaddressablePlain> plains;
    UnaddressablePlain* plain = nullptr;
    std::vector<std::unique_ptr<UnaddressableNode>> children;
    FERRY_FIELDS(value, next, owned, shared, weak, plains, plain, children)
    void operator&() const = delete;

    /// Fills this node as a root whose pointers lead into what it owns.
    void fill() {
        value = 1;
        owned = std::make_unique<UnaddressableNode>();
        owned->value = 2;
        owned->next = this;
        next = owned.get();
        shared = std::make_shared<UnaddressableNode>();
        shared->value = 3;
        weak = shared;
        plains = {{4, 0}, {5, 0}};
        plain = plains.data() + 1;
        children.push_back(std::make_unique<UnaddressableNode>());
        children[0]->next = next;
    }
    /// True when this node has what fill() made.
    bool isFilled() const {
        return value == 1 && owned->value == 2 && owned->next == this && next == owned.get() && shared->value == 3 &&
               weak.lock() == shared && plain == plains.data() + 1 && plain->number == 5 && children[0]->next == next;
    }
};

}    // namespace ferry::test
