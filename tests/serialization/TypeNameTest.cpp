#include <ferry/serialization/ints/TypeName.hpp>

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/serialization/ints/IntBuffer.hpp>

using ferry::detail::readableTypeName;
using ferry::detail::typeName;

namespace typenametest {

template <class... Arguments>
struct Own {};

}    // namespace typenametest

using typenametest::Own;

TEST_CASE("TypeName: types are named as in the source") {
    CHECK(typeName(typeid(int)) == "int");
    CHECK(typeName(typeid(ferry::IntBuffer)) == "ferry::IntBuffer");
    CHECK(typeName(typeid(std::vector<long>)) == "std::vector<long>");
    CHECK(readableTypeName("long unsigned int") == "unsigned long");
    CHECK(readableTypeName("short int") == "short");
}

TEST_CASE("TypeName: types of the standard library are named without their defaults") {
    CHECK(typeName(typeid(std::string)) == "std::string");
    CHECK(typeName(typeid(std::string_view)) == "std::string_view");
    CHECK(typeName(typeid(std::vector<std::vector<std::string>>)) == "std::vector<std::vector<std::string>>");
    CHECK(typeName(typeid(std::map<std::string, int>)) == "std::map<std::string, int>");
    CHECK(typeName(typeid(std::set<int>)) == "std::set<int>");
    CHECK(typeName(typeid(std::unordered_map<int, std::unique_ptr<int>>)) == "std::unordered_map<int, std::unique_ptr<int>>");
}

TEST_CASE("TypeName: arguments that are no defaults stay") {
    CHECK(typeName(typeid(std::set<int, std::greater<int>>)) == "std::set<int, std::greater<int>>");
    CHECK(typeName(typeid(Own<int, std::less<int>>)) == "typenametest::Own<int, std::less<int>>");
    CHECK(typeName(typeid(std::vector<Own<std::string>>)) == "std::vector<typenametest::Own<std::string>>");
}

TEST_CASE("TypeName: texts that are no type are left as they are") {
    for (const char* text :
         {"", ", std::allocator<", "std::vector<int, std::allocator<", "a, std::less<int>>", ">>>", "operator<, std::hash<>"})
        CHECK(readableTypeName(text) == text);
}
