#include <ferry/serialization/ints/TypeName.hpp>

#include <cxxabi.h>
#include <cstddef>
#include <cstdlib>
#include <initializer_list>
#include <memory>
#include <utility>

namespace ferry::detail {

namespace {

// A longer name stays as the compiler spells it.
constexpr std::size_t longestReadable = 16 * 1024;

// Arguments of templates of the standard library that are usually defaults. An argument comes before those that depend on it.
constexpr std::string_view defaults[] = {"std::allocator<", "std::default_delete<", "std::char_traits<",
                                         "std::less<",      "std::equal_to<",       "std::hash<"};
constexpr std::string_view standard = "std::";

void replaceAll(std::string& text, std::string_view old, std::string_view replacement) {
    for (std::size_t place = 0; (place = text.find(old, place)) != std::string::npos;) {
        text.replace(place, old.size(), replacement);
        place += replacement.size();
    }
}

/// The place of the '>' that closes the list of arguments after `begin`; npos: there is none.
std::size_t endOfArguments(std::string_view text, std::size_t begin) {
    std::size_t depth = 1;
    for (std::size_t place = begin; place < text.size(); ++place) {
        if (text[place] == '<') ++depth;
        if (text[place] == '>' && --depth == 0) return place;
    }
    return std::string_view::npos;
}

/// Whether the argument at this place belongs to a template of the standard library.
bool isOfStandardTemplate(std::string_view text, std::size_t place) {
    std::size_t depth = 1;
    while (place-- > 0) {
        if (text[place] == '>') ++depth;
        if (text[place] == '<' && --depth == 0) break;
    }
    if (depth != 0) return false;
    const std::string_view before = text.substr(0, place);
    const std::size_t begin = before.find_last_of(" <,(") + 1;    // npos + 1 is 0
    return before.substr(begin, standard.size()) == standard;
}

/// Removes the last argument of a list when the argument is this default. True: one was removed.
bool removeDefault(std::string& text, std::string_view argument) {
    for (std::size_t place = 0; (place = text.find(argument, place)) != std::string::npos; ++place) {
        if (place < 2 || text.compare(place - 2, 2, ", ") != 0) continue;
        const std::size_t end = endOfArguments(text, place + argument.size());
        const bool isLast = end != std::string::npos && end + 1 < text.size() && text[end + 1] == '>';
        if (!isLast || !isOfStandardTemplate(text, place)) continue;
        text.erase(place - 2, end + 1 - (place - 2));
        return true;
    }
    return false;
}

std::string demangled(const char* mangled) {
    int status = 0;
    const std::unique_ptr<char, decltype(&std::free)> name(abi::__cxa_demangle(mangled, nullptr, nullptr, &status), &std::free);
    return status == 0 && name != nullptr ? name.get() : mangled;
}

}    // namespace

std::string typeName(const std::type_info& type) { return readableTypeName(demangled(type.name())); }
std::string typeName(const std::type_index& type) { return readableTypeName(demangled(type.name())); }
std::string spelledTypeName(const std::type_info& type) { return demangled(type.name()); }

std::string readableTypeName(std::string_view spelled) {
    std::string name(spelled);
    if (name.size() > longestReadable) return name;
    while (name.find("> >") != std::string::npos) replaceAll(name, "> >", ">>");
    for (const std::string_view inlined : {"std::__cxx11::", "std::__1::", "std::__debug::", "std::__cxx1998::"})
        replaceAll(name, inlined, standard);
    for (const std::string_view argument : defaults) {
        while (removeDefault(name, argument)) {}
    }
    // g++ writes the words of a number in an order of its own.
    for (const auto& [spelling, usual] :
         std::initializer_list<std::pair<std::string_view, std::string_view>>{{"long long unsigned int", "unsigned long long"},
                                                                              {"long long int", "long long"},
                                                                              {"long unsigned int", "unsigned long"},
                                                                              {"long int", "long"},
                                                                              {"short unsigned int", "unsigned short"},
                                                                              {"short int", "short"}})
        replaceAll(name, spelling, usual);
    replaceAll(name, "std::basic_string<char>", "std::string");
    replaceAll(name, "std::basic_string_view<char>", "std::string_view");
    return name;
}

}    // namespace ferry::detail
