#pragma once

#include <ferry/guard/known/CallSignature.hpp>
#include <ferry/guard/known/Communicators.hpp>

namespace ferry::pmpi {

/// The collective call that a rank is in, for as long as the object lives. Ownership: borrows all arguments.
class PresentCall {
public:
    PresentCall(const PresentCall*& place, const CallSignature& signature, const Communicator& communicator)
        : place_(place),
          outer_(place),
          signature_(signature),
          communicator_(communicator) {
        place = this;
    }
    PresentCall(const PresentCall&) = delete;
    PresentCall& operator=(const PresentCall&) = delete;
    ~PresentCall() { place_ = outer_; }

    const CallSignature& signature() const noexcept { return signature_; }
    const Communicator& communicator() const noexcept { return communicator_; }

private:
    const PresentCall*& place_;
    const PresentCall* outer_;
    const CallSignature& signature_;
    const Communicator& communicator_;
};

}    // namespace ferry::pmpi
