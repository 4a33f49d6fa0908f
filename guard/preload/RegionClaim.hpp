#pragma once

namespace ferry::detail {

/// A class without objects. A handler for it catches every exception while this process is in a region of plain MPI code, and none outside:
/// the unwinder asks the class's std::type_info, which is Ferry's own (compare pmpi/UnwindProbe). So a program that is not guarded ends
/// where it throws, with its stack unchanged. The handler must use std::current_exception(); the caught reference is no object.
class RegionClaim {
public:
    virtual ~RegionClaim();    // never defined, so that the compiler makes no type_info of its own
};

}    // namespace ferry::detail
