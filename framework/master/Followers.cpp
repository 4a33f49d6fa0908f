#include <ferry/framework/master/Followers.hpp>

#include <ferry/connector/exception/report/Report.hpp>
#include <ferry/framework/monitor/Log.hpp>
#include <ferry/framework/monitor/ifMemory.hpp>

namespace ferry::detail {

bool Followers::runFirst() {
    if (due_.empty()) return false;
    std::list<Completion::Following> first;
    first.splice(first.begin(), due_, due_.begin());
    first.front().follower(*first.front().completion);
    return true;
}

void Followers::complete(Completion& completion, std::exception_ptr failure) {
    completion.failure = std::move(failure);
    completion.isDone = true;
    if (completion.failure && completion.isDropped && !completion.isLookedAt.exchange(true))
        ifMemory([&] { logLine(spdlog::level::warn, "nobody waits for a task that failed: {}", report(completion.failure)); });
    if (const std::shared_ptr<DoneListener> listener = std::move(completion.listener)) listener->noteDone(completion.toldOf);
    if (completion.followers.empty()) return;
    for (Completion::Following& following : completion.followers) following.completion = completion.shared_from_this();
    due_.splice(due_.end(), completion.followers);
}

void Followers::add(std::shared_ptr<Completion> completion, Completion::Follower follower) {
    if (completion->isDone) {
        due_.push_back({std::move(follower), std::move(completion)});
    } else {
        completion->followers.push_back({std::move(follower)});
    }
}

std::list<Completion::Following> Followers::adoptionOf(const std::shared_ptr<Call>& call) const {
    std::list<Completion::Following> adoption;
    const auto adopter = adopters_.find(call->facts.kind);
    if (adopter == adopters_.end()) {
        call->isDropped = true;
    } else {
        adoption.push_back({[call, adopt = adopter->second](Completion&) { adopt(call); }, call});
    }
    return adoption;
}

}    // namespace ferry::detail
