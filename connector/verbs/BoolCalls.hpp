#pragma once

#include <ferry/connector/collective/shape/OptionsOfBools.hpp>
#include <ferry/connector/verbs/MessageCalls.hpp>

namespace ferry::detail {

/// Refuses bools in collectives with options.
class BoolCalls : public MessageCalls {
public:
    template <BoolRange Elements>
    RefusedBools gather(const Elements&, const OptionsOfBools&) {
        return refuseBools<Elements>();
    }
    template <BoolRange Elements>
    RefusedBools allGather(const Elements&, const OptionsOfBools&) {
        return refuseBools<Elements>();
    }
    template <BoolRange Elements>
    RefusedBools scatter(const Elements&, const OptionsOfBools&) {
        return refuseBools<Elements>();
    }
    template <BoolRange Elements>
    RefusedBools allToAll(const Elements&, const OptionsOfBools&) {
        return refuseBools<Elements>();
    }
    template <BoolRange Elements, class Operator>
    RefusedBools reduce(const Elements&, const Operator&, const ReductionOfBools&) {
        return refuseBools<Elements>();
    }
    template <BoolRange Elements, class Operator>
    RefusedBools allReduce(const Elements&, const Operator&, const ReductionOfBools&) {
        return refuseBools<Elements>();
    }
    template <BoolRange Elements>
    RefusedBools startGather(const Elements&, const OptionsOfBools&) {
        return refuseBools<Elements>();
    }
    template <BoolRange Elements>
    RefusedBools startAllGather(const Elements&, const OptionsOfBools&) {
        return refuseBools<Elements>();
    }
    template <BoolRange Elements>
    RefusedBools startScatter(const Elements&, const OptionsOfBools&) {
        return refuseBools<Elements>();
    }
    template <BoolRange Elements>
    RefusedBools startAllToAll(const Elements&, const OptionsOfBools&) {
        return refuseBools<Elements>();
    }
    template <BoolRange Elements, class Operator>
    RefusedBools startReduce(const Elements&, const Operator&, const ReductionOfBools&) {
        return refuseBools<Elements>();
    }
    template <BoolRange Elements, class Operator>
    RefusedBools startAllReduce(const Elements&, const Operator&, const ReductionOfBools&) {
        return refuseBools<Elements>();
    }

protected:
    using MessageCalls::MessageCalls;
    ~BoolCalls() = default;

private:
    template <class Elements>
    static RefusedBools refuseBools() {
        static_assert(!BoolRange<Elements>,
                      "ferry: a collective with options takes no bools (see Elements), since a std::vector<bool> holds bits: let the elements "
                      "be of type char, or leave out the options");
        return {};
    }
};

}    // namespace ferry::detail
