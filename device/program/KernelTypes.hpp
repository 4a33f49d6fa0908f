#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <typeindex>
#include <vector>

namespace ferry::detail {

/// A C++ type in the text of a kernel. A declaration is: before, the declared name, behind.
struct KernelTypeName {
    std::string before;    ///< for example "global double*"
    std::string behind;    ///< for example "[3]"
    std::string word;      ///< as a part of other names: "double_pointer"
};

struct KernelMember {
    std::string name;
    KernelTypeName type;
    std::size_t offset = 0;
    std::size_t bytes = 0;
};

/// A struct as kernels see it.
struct KernelStruct {
    std::string name;
    std::size_t bytes = 0;
    std::size_t alignment = 1;
    std::vector<KernelMember> members;    ///< in the order of their offsets
};

/// The structs of a program of kernels, with their declarations in OpenCL C. A struct has the layout of its C++ type: gaps are members of
/// their own.
///
/// Errors: UsageError for two types with one name.
class KernelTypes {
public:
    using Definition = void (*)(KernelTypes&);

    /// Gives the type its name. Returns false when the type has it already.
    bool begin(const std::type_info& type, const std::string& name);
    /// Adds the struct. All structs that are members of it have been added.
    void add(KernelStruct kernelStruct);
    /// Defines the type behind a pointer later, because pointers lead in circles.
    void defineLater(Definition definition) { later_.push_back(definition); }
    void defineAll();

    const std::vector<KernelStruct>& structs() const noexcept { return structs_; }
    /// The declarations, and a kernel `ferryLayout` that writes the size of each struct and the offset of each member.
    std::string text() const;

private:
    std::map<std::string, std::type_index, std::less<>> names_;
    std::vector<KernelStruct> structs_;
    std::vector<Definition> later_;
};

/// The name of a class without its namespaces, as an identifier: "Dense_3" for ferry::bench::Dense<3>.
std::string kernelWordOf(const std::type_info& type);
/// The identifier of a field in a list of fields: "positions" for "ferry::arrayOf(positions, count)". index: 0 for the pointer, from 1 for
/// the counts. Empty when there is none.
std::string kernelFieldName(std::string_view field, std::size_t index);

}    // namespace ferry::detail
