#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ferry::detail {

/// A value in a text of JSON that was taken apart.
///
/// Ownership: borrows the tree. Errors: SerializationError for a value of another kind than the expected one.
class JsonNode {
public:
    JsonNode(const void* value, int depth);

    bool isNull() const noexcept;
    bool readBool() const;
    /// Errors: SerializationError also for a number that is not between these two.
    long long readInteger(long long least, long long most) const;
    unsigned long long readUnsigned(unsigned long long most) const;
    double readReal() const;
    std::string readText() const;

    std::size_t elementCount() const;
    JsonNode element(std::size_t index) const;
    /// Errors: SerializationError for another number of elements.
    void requireElements(std::size_t count) const;

    /// The members of an object, in the order of their names.
    std::vector<std::pair<std::string, JsonNode>> members() const;
    JsonNode member(std::string_view name) const;
    /// Errors: SerializationError for an object with other members than these.
    void requireMembers(const std::vector<std::string_view>& names) const;

    /// This value, one level deeper: for what a pointer or an optional holds.
    JsonNode inner() const { return {value_, depth_ + 1}; }

private:
    [[noreturn]] void failKind(const char* expected) const;

    const void* value_;
    int depth_;
};

/// The value of a text of JSON.
class JsonTree {
public:
    /// Errors: SerializationError for a text that is no JSON.
    explicit JsonTree(std::string_view text);
    JsonTree(const JsonTree&) = delete;
    JsonTree& operator=(const JsonTree&) = delete;

    JsonNode root() const { return {value_.get(), 0}; }

private:
    std::shared_ptr<const void> value_;
};

}    // namespace ferry::detail
