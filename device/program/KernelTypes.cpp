#include <ferry/device/program/KernelTypes.hpp>

#include <algorithm>
#include <cctype>
#include <utility>

#include <fmt/format.h>

#include <ferry/device/layout/DeviceRefusal.hpp>
#include <ferry/serialization/exception/UsageError.hpp>
#include <ferry/serialization/ints/TypeName.hpp>

namespace ferry::detail {

namespace {

bool isWord(char character) noexcept { return std::isalnum(static_cast<unsigned char>(character)) != 0 || character == '_'; }

}    // namespace

bool KernelTypes::begin(const std::type_info& type, const std::string& name) {
    const auto [known, isNew] = names_.emplace(name, std::type_index(type));
    if (!isNew && known->second != std::type_index(type)) {
        throw UsageError(
            fmt::format("two types of a program of kernels have the name {}: {} and {}", name, typeName(known->second), typeName(type)));
    }
    return isNew;
}

// A count may be a field of its own, and the count of several arrays.
void KernelTypes::add(KernelStruct kernelStruct) {
    auto& members = kernelStruct.members;
    std::stable_sort(members.begin(), members.end(), [](const auto& left, const auto& right) { return left.offset < right.offset; });
    members.erase(
        std::unique(members.begin(), members.end(), [](const auto& left, const auto& right) { return left.offset == right.offset; }),
        members.end());
    structs_.push_back(std::move(kernelStruct));
}

void KernelTypes::defineAll() {
    for (std::size_t i = 0; i < later_.size(); ++i) later_[i](*this);    // later_ grows meanwhile
    later_.clear();
}

std::string KernelTypes::text() const {
    std::string text;
    for (const KernelStruct& each : structs_) text += fmt::format("typedef struct {0} {0};\n", each.name);
    std::string layout;
    std::size_t index = 0;
    for (const KernelStruct& each : structs_) {
        text += fmt::format("struct {} {{", each.name);
        layout += fmt::format("out[{}] = sizeof({});\n", index++, each.name);
        std::size_t end = 0;
        std::size_t gaps = 0;
        const auto fill = [&](std::size_t offset) {
            if (offset > end) text += fmt::format(" uchar ferryGap{}[{}];", gaps++, offset - end);
        };
        for (const KernelMember& member : each.members) {
            fill(member.offset);
            text += fmt::format(" {} {}{};", member.type.before, member.name, member.type.behind);
            end = member.offset + member.bytes;
            layout += fmt::format("out[{}] = (ulong)&((global {}*)0)->{};\n", index++, each.name, member.name);
        }
        fill(each.bytes);
        text += fmt::format(" }} __attribute__((aligned({})));\n", each.alignment);
    }
    return text + "kernel void ferryLayout(global ulong* out) {\n" + layout + "}\n";
}

std::string kernelWordOf(const std::type_info& type) {
    const std::string name = typeName(type);
    std::string word;
    int depth = 0;
    std::size_t qualified = 0;    // begin of the present name in word
    for (std::size_t i = 0; i < name.size(); ++i) {
        const char character = name[i];
        if (character == '<' || character == '(') ++depth;
        if (character == '>' || character == ')') --depth;
        if (character == ':' && i + 1 < name.size() && name[i + 1] == ':') {
            word.resize(depth == 0 ? 0 : qualified);
            ++i;
        } else if (isWord(character)) {
            word += character;
        } else {
            if (!word.empty() && word.back() != '_') word += '_';
            qualified = word.size();
        }
    }
    while (!word.empty() && word.back() == '_') word.pop_back();
    return word;
}

std::string kernelFieldName(std::string_view field, std::size_t index) {
    const std::size_t open = field.find('(');
    if (open != field.npos && field.rfind(')') != field.npos) {
        field = field.substr(open + 1, field.rfind(')') - open - 1);
        field = deviceFieldName(field, index);
    } else if (index > 0) {
        return {};
    }
    std::size_t end = field.size();
    while (end > 0 && !isWord(field[end - 1])) --end;
    std::size_t begin = end;
    while (begin > 0 && isWord(field[begin - 1])) --begin;
    const std::string name(field.substr(begin, end - begin));
    return name.empty() || std::isdigit(static_cast<unsigned char>(name.front())) != 0 ? std::string() : name;
}

}    // namespace ferry::detail
