#pragma once

namespace ferry {

/// A class of which there are no objects: a handler for it takes every exception while this process is in a region of plain MPI code, and
/// none outside, as the unwinder asks its std::type_info, which is one of Ferry's own (compare pmpi/Filter). So a program that is not
/// guarded ends where it throws, with its stack as it was. In the handler there is nothing to look at but std::current_exception().
class RegionClaim {
public:
    virtual ~RegionClaim();    // never defined, so that no type_info but ours is made
};

}    // namespace ferry
