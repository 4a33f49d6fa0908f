#pragma once

#include <array>

#include <ferry/connector/message/letter/Envelope.hpp>
#include <ferry/connector/message/letter/KindsAbove.hpp>

namespace ferry::detail {

/// The kinds of letters that jobs have beside those of the connector. The numbers travel and are frozen, as those of MessageKind are:
/// docs/wire-format.md.
struct JobKind {
    /// One or more tasks for a slave; from a slave: tasks that it gives back or that its handlers submit.
    static constexpr MessageKind Request{4};
    /// One or more replies to tasks.
    static constexpr MessageKind Response{5};
    /// An object that every slave holds; key = hash of its type, number = its version.
    static constexpr MessageKind Shared{7};
    /// A failure that ends the job, reported to the master.
    static constexpr MessageKind Report{8};
    /// About tasks that a slave has; key = the kind of the notice (TaskNotice.hpp).
    static constexpr MessageKind TaskNotice{20};
    /// To a slave: the version of a shared object that counts from now on; key = hash of its type, number = version, 0 dropped.
    static constexpr MessageKind SharedNotice{21};
    /// To a slave a question, from a slave the answer; key = 1 its clock, 2 its recorded events, number = the question.
    static constexpr MessageKind Trace{28};
};

inline constexpr std::array jobKinds{
    KindsAbove::Kind{JobKind::Request, "tasks", KindsAbove::Use::Calls},
    KindsAbove::Kind{JobKind::Response, "replies", KindsAbove::Use::Calls},
    KindsAbove::Kind{JobKind::Shared, "a shared object", KindsAbove::Use::Calls},
    KindsAbove::Kind{JobKind::Report, "a failure of the job", KindsAbove::Use::Handler},
    KindsAbove::Kind{JobKind::TaskNotice, "a notice about tasks", KindsAbove::Use::Calls},
    KindsAbove::Kind{JobKind::SharedNotice, "a notice about a shared object", KindsAbove::Use::Calls},
    KindsAbove::Kind{JobKind::Trace, "recorded events", KindsAbove::Use::Calls},
};

/// Registers the kinds of jobs in every program that has letters of them.
inline const bool jobKindsAreKnown = KindsAbove::add(jobKinds);

}    // namespace ferry::detail
