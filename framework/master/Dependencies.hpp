#pragma once

#include <memory>
#include <vector>

#include <boost/unordered/unordered_flat_set.hpp>

#include <ferry/framework/master/Completion.hpp>

namespace ferry::detail {

/// The completions behind a completion, found without recursion: a chain of them may be of any length.
struct Dependencies {
    std::vector<std::shared_ptr<Completion>> openEnds{};           ///< open ones with nothing open behind them, each once
    boost::unordered_flat_set<const Completion*> doneSources{};    ///< done ones whose followers let an open one go on
};

/// The completions on which the completion depends. For a call there are none.
Dependencies dependenciesOf(const Completion& completion);

}    // namespace ferry::detail
