#pragma once

#include <atomic>
#include <exception>
#include <functional>
#include <list>
#include <memory>
#include <span>
#include <utility>

#include <ferry/connector/exception/Awaited.hpp>

namespace ferry::detail {

/// Hears of completions at once, before their followers run. Ownership: shared by the completions that it hears of.
class DoneListener {
public:
    DoneListener() = default;
    DoneListener(const DoneListener&) = delete;
    DoneListener& operator=(const DoneListener&) = delete;
    virtual ~DoneListener() = default;

    /// what: the pointer that was given to Completion::tell(). The listener may have outlived what it points to.
    virtual void noteDone(void* what) noexcept = 0;
};

/// An event that a Future waits for. Ownership: shared by the part that completes it and by the futures.
struct Completion : std::enable_shared_from_this<Completion> {
    using Follower = std::function<void(Completion&)>;
    /// The owner of the function that a follower calls. A function of the program may wait.
    enum class FunctionOf { Ferry, Program };
    /// A function that is called when a completion is done.
    struct Following {
        Follower follower;
        FunctionOf functionOf = FunctionOf::Ferry;
        std::shared_ptr<Completion> completion{};    ///< set when that completion is done
    };

    Completion() = default;
    Completion(const Completion&) = delete;
    Completion& operator=(const Completion&) = delete;
    virtual ~Completion();

    /// The ranks that the caller waits for, and a text that says for what.
    virtual Awaited awaited() const = 0;
    /// The completions that this one depends on. Empty for a call.
    virtual std::span<const std::weak_ptr<Completion>> dependsOn() const noexcept = 0;

    /// Frees the result, which a caller has taken.
    virtual void dropResult() noexcept = 0;

    /// Tells the listener when this is done; at once if it is done already. A completion has one listener.
    void tell(std::shared_ptr<DoneListener> theListener, void* what) noexcept {
        if (isDone) return theListener->noteDone(what);
        listener = std::move(theListener);
        toldOf = what;
    }

    // Another thread may drop a Future while the master completes its task. One of them finds both flags, and logs the failure.
    std::atomic<bool> isDone{false};             ///< set after the failure
    std::atomic<bool> isLookedAt{false};         ///< a caller has seen the outcome, or has cancelled the completion
    std::atomic<bool> isDropped{false};          ///< no caller will ask for the result
    bool isTaken = false;                        ///< a caller has taken the result, or a function of then() is going to get it
    std::exception_ptr failure;                  ///< null: it did not fail
    std::list<Following> followers;              ///< called by the Dispatcher, which takes over the list nodes without copies
    std::shared_ptr<DoneListener> listener{};    ///< null: none, or the completion is done
    void* toldOf = nullptr;                      ///< what the listener is told
};

}    // namespace ferry::detail
