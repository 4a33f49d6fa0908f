#include <ferry/serialization/exception/Exception.hpp>

#include <ferry/serialization/exception/Cause.hpp>

namespace ferry {

struct Exception::State {
    std::string text;
    Origin origin;
    bool isRemote = false;
    std::string typeName;    // the class that was thrown, if it is not this class
    detail::Cause cause;
};

Exception::Exception(std::string text) : state_(std::make_shared<const State>(State{std::move(text), Origin::here(), false, {}, {}})) {}

const char* Exception::what() const noexcept { return state_ != nullptr ? state_->text.c_str() : ""; }

const Origin& Exception::origin() const noexcept {
    static const Origin& unknown = *new Origin;    // never destroyed: exit() on one rank leaves the others at work
    return state_ != nullptr ? state_->origin : unknown;
}

bool Exception::isRemote() const noexcept { return state_ != nullptr && state_->isRemote; }

void Exception::setOrigin(Origin origin) { ownState().origin = std::move(origin); }

void Exception::setText(std::string text) { ownState().text = std::move(text); }

void Exception::restore(std::string text, Origin origin, std::string typeName) {
    State& state = ownState();
    state.text = std::move(text);
    state.origin = std::move(origin);
    state.isRemote = true;
    state.typeName = std::move(typeName);
}

const std::string& Exception::remoteTypeName() const noexcept {
    static const std::string& same = *new std::string;    // never destroyed: see origin()
    return state_ != nullptr ? state_->typeName : same;
}

std::exception_ptr Exception::cause() const noexcept { return state_ != nullptr ? state_->cause.get() : nullptr; }

void Exception::setCause(std::exception_ptr cause) { ownState().cause = detail::Cause(std::move(cause)); }

void Exception::raise() const { detail::raiseCopy(*this); }

// Copies of an exception may exist in other threads. So each change makes a new state.
Exception::State& Exception::ownState() {
    auto own = state_ != nullptr ? std::make_shared<State>(*state_) : std::make_shared<State>();
    State& state = *own;
    state_ = std::move(own);
    return state;
}

}    // namespace ferry
