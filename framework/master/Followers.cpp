#include <ferry/framework/master/Followers.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <ferry/connector/exception/report/Report.hpp>
#include <ferry/framework/master/Dependencies.hpp>
#include <ferry/framework/monitor/Log.hpp>
#include <ferry/framework/monitor/ifMemory.hpp>
#include <ferry/serialization/exception/UsageError.hpp>

namespace ferry::detail {

namespace {

/// Counts a function while it runs.
class Nested {
public:
    Nested(int& count, int own) noexcept : count_(count), own_(own) { count_ += own_; }
    Nested(const Nested&) = delete;
    Nested& operator=(const Nested&) = delete;
    ~Nested() { count_ -= own_; }

private:
    int& count_;
    const int own_;
};

}    // namespace

/// The first function that is due, and that a wait for the completion may run. Functions of the program that run inside each other without
/// a limit would overflow the stack.
std::list<Completion::Following>::const_iterator Followers::findNext(const Completion* awaited) const {
    if (!areNestedMost() || due_.empty()) return due_.begin();
    if (dueOfFerryCount_ > 0) {    // they are near the end: the waits further out have left the functions of the program before them
        auto place = due_.end();
        for (std::size_t left = dueOfFerryCount_; left > 0;) {
            if ((--place)->functionOf == Completion::FunctionOf::Ferry) --left;
        }
        return place;
    }
    if (awaited == nullptr) return due_.end();
    const auto needed = dependenciesOf(*awaited).doneSources;
    if (needed.empty()) return due_.end();
    return std::find_if(due_.begin(), due_.end(),
                        [&needed](const Completion::Following& one) { return needed.contains(one.completion.get()); });
}

bool Followers::hasNext(const Completion* awaited) const { return findNext(awaited) != due_.end(); }

std::list<Completion::Following> Followers::takeNext(const Completion* awaited) {
    std::list<Completion::Following> next;
    const auto place = findNext(awaited);
    if (place == due_.end()) return next;
    if (place->functionOf == Completion::FunctionOf::Ferry) --dueOfFerryCount_;
    next.splice(next.begin(), due_, place);
    return next;
}

bool Followers::run(std::list<Completion::Following> next) {
    if (next.empty()) return false;
    const Completion::Following& first = next.front();
    const Nested nested(nestedCount_, first.functionOf == Completion::FunctionOf::Program ? 1 : 0);
    first.follower(*first.completion);
    return true;
}

bool Followers::haveAllRun() const {
    if (!due_.empty() && !hasNext(nullptr)) {
        throw UsageError(fmt::format(
            "waitForAll() in a function of then(): expected fewer than {} such functions inside each other, found {}, and further ones are "
            "due. Let the function wait for the futures that it needs, and call waitForAll() outside",
            mostNested, nestedCount_));
    }
    return due_.empty();
}

void Followers::complete(Completion& completion, std::exception_ptr failure) {
    completion.failure = std::move(failure);
    completion.isDone = true;
    if (completion.failure && completion.isDropped && !completion.isLookedAt.exchange(true))
        ifMemory([&] { logLine(spdlog::level::warn, "nobody waits for a task that failed: {}", report(completion.failure)); });
    if (const std::shared_ptr<DoneListener> listener = std::move(completion.listener)) listener->noteDone(completion.toldOf);
    if (completion.followers.empty()) return;
    for (Completion::Following& following : completion.followers) {
        following.completion = completion.shared_from_this();
        if (following.functionOf == Completion::FunctionOf::Ferry) ++dueOfFerryCount_;
    }
    due_.splice(due_.end(), completion.followers);
}

void Followers::add(std::shared_ptr<Completion> completion, Completion::Follower follower, Completion::FunctionOf functionOf) {
    if (completion->isDone) {
        due_.push_back({std::move(follower), functionOf, std::move(completion)});
        if (functionOf == Completion::FunctionOf::Ferry) ++dueOfFerryCount_;
    } else {
        completion->followers.push_back({std::move(follower), functionOf});
    }
}

std::list<Completion::Following> Followers::adoptionOf(const std::shared_ptr<Call>& call) const {
    std::list<Completion::Following> adoption;
    const auto adopter = adopters_.find(call->facts.kind);
    if (adopter == adopters_.end()) {
        call->isDropped = true;
    } else {
        adoption.push_back({[call, adopt = adopter->second](Completion&) { adopt(call); }, Completion::FunctionOf::Program, call});
    }
    return adoption;
}

}    // namespace ferry::detail
