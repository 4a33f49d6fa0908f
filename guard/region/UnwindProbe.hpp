#pragma once

namespace ferry::pmpi {

/// A class without objects. guarded() has a handler for it before any other handler. Its std::type_info is Ferry's own. In its search phase
/// the unwinder asks this type_info whether the handler takes an exception. This happens before any frame is unwound, and only when no
/// handler inside the region takes the exception. At that moment the rank meets the others, so that its MPI operations are over before
/// their buffers are destroyed. The answer is always no.
///
/// The mechanism is that of libstdc++. With another library the type_info is not asked, and the ranks meet after the stack is unwound.
class UnwindProbe {
public:
    virtual ~UnwindProbe();    // never defined, so that the compiler makes no type_info of its own

    /// Tests switch the probe off to show the behaviour without it.
    static bool isOn;
};

}    // namespace ferry::pmpi
