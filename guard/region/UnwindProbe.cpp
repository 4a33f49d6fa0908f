#include <ferry/guard/region/UnwindProbe.hpp>

#include <exception>
#include <string>
#include <typeinfo>

#include <ferry/guard/region/Region.hpp>
#include <ferry/guard/region/regionBounds.hpp>
#include <ferry/serialization/exception/ForcedUnwind.hpp>
#include <ferry/serialization/ints/TypeName.hpp>
#include <ferry/serialization/platform/TextAt.hpp>

namespace ferry::pmpi {

bool UnwindProbe::isOn = true;

class UnwindProbeType final : public std::type_info {
public:
    UnwindProbeType() : std::type_info("N5ferry4pmpi11UnwindProbeE") {}

    bool __do_catch(const std::type_info* thrownType, void** thrown, unsigned /*outer*/) const override {
        if (UnwindProbe::isOn && activeRegion != nullptr) activeRegion->failHere(textOf(*thrownType, *thrown));
        return false;
    }

private:
    /// The name of the class, then what() if the class has it.
    static std::string textOf(const std::type_info& thrownType, void* thrown) {
        if (thrownType == typeid(detail::ForcedUnwind)) return endOfThreadText(activeRegion->meetingPlace().rank());
        std::string text = detail::typeName(thrownType);
        const bool isStandard = typeid(std::exception).__do_catch(&thrownType, &thrown, 1);
        const char* what = isStandard ? static_cast<std::exception*>(thrown)->what() : nullptr;
        if (what != nullptr) text.append(": ").append(detail::textAt(what));
        return text;
    }
};

// The name under which the compiler looks for the type_info of UnwindProbe.
extern const UnwindProbeType unwindProbeType __asm__("_ZTIN5ferry4pmpi11UnwindProbeE");
const UnwindProbeType unwindProbeType;

}    // namespace ferry::pmpi
