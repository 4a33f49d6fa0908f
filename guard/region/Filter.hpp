#pragma once

namespace ferry::pmpi {

/// A class of which there are no objects. guarded() has a handler for it before any other; its std::type_info is one of Ferry's own,
/// which the unwinder asks in its search phase whether the handler takes an exception: before any frame is unwound, and only when no
/// handler inside of the region takes it. There the rank meets the others, so that what its MPI calls have under way is over before the
/// buffers are destroyed. The answer is always no.
///
/// This is how libstdc++ works. With another library nothing is asked, and the ranks meet when the stack is unwound already.
class Filter {
public:
    virtual ~Filter();    // never defined, so that no type_info but ours is made

    /// Tests show with it what happens without.
    static bool isOn;
};

}    // namespace ferry::pmpi
