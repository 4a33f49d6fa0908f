#include <ferry/serialization/ints/TypeName.hpp>

#include <cxxabi.h>
#include <cstdlib>
#include <memory>

namespace ferry {

std::string typeName(const std::type_info& type) {
    int status = 0;
    const std::unique_ptr<char, decltype(&std::free)> name(abi::__cxa_demangle(type.name(), nullptr, nullptr, &status), &std::free);
    return status == 0 && name != nullptr ? name.get() : type.name();
}

}    // namespace ferry
