#include <ferry/guard/preload/RegionClaim.hpp>

#include <typeinfo>

#include <ferry/guard/region/Region.hpp>

namespace ferry::detail {

class RegionClaimType final : public std::type_info {
public:
    RegionClaimType() : std::type_info("N5ferry6detail11RegionClaimE") {}

    bool __do_catch(const std::type_info* /*thrownType*/, void** /*thrown*/, unsigned /*outer*/) const override {
        return pmpi::activeRegion != nullptr;
    }
};

// The name under which the compiler looks for the type_info of RegionClaim.
extern const RegionClaimType regionClaimType __asm__("_ZTIN5ferry6detail11RegionClaimE");
const RegionClaimType regionClaimType;

}    // namespace ferry::detail
