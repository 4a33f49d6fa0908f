#include <ferry/framework/master/Completion.hpp>

namespace ferry::detail {

namespace {

/// The followers that a destructor on this thread is destroying; null: none does.
thread_local std::list<Completion::Following>* beingDestroyed = nullptr;

}    // namespace

/// A follower may be the last owner of another completion, which has followers of its own. So a long chain of them is destroyed in a loop:
/// the destructors inside the first one leave their followers to it.
Completion::~Completion() {
    if (followers.empty()) return;
    if (beingDestroyed != nullptr) {
        beingDestroyed->splice(beingDestroyed->end(), followers);
        return;
    }
    beingDestroyed = &followers;
    while (!followers.empty()) {
        std::list<Following> first;
        first.splice(first.begin(), followers, followers.begin());
    }
    beingDestroyed = nullptr;
}

}    // namespace ferry::detail
