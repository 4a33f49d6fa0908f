#include <ferry/connector/message/state/KeptLetters.hpp>

namespace ferry::detail {

void KeptLetters::expect(const std::shared_ptr<Expectation>& expectation) {
    const OneThread::Call call(thread_);
    settle();
    expectations_.add(expectation);
    const auto wants = [&](const Letter& letter) { return expectation->wants(letter); };
    letters_.handOver(wants, [&](Letter&& letter) { expectation->give(std::move(letter)); });
}

void KeptLetters::settle() {
    if (!expectations_.settle(letters_)) return;
    ++takenBackCount_;
    giveToExpectations();
}

void KeptLetters::giveToExpectations() {
    letters_.handOver([this](const Letter& letter) { return expectations_.wants(letter); },
                      [this](Letter&& letter) { expectations_.offer(letter); });
}

}    // namespace ferry::detail
