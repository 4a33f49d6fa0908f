#include <ferry/connector/message/MailboxHooks.hpp>

#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

using namespace ferry;

namespace {

Letter controlLetter(MessageKind kind, std::int32_t number) { return Letter{0, Envelope{kind, 0, number}, IntBuffer()}; }

}    // namespace

TEST_CASE("MailboxHooks: a handler gets the letters of its kind, and first those that came before it was set") {
    MailboxHooks hooks;
    Letter early = controlLetter(MessageKind::Left, 1);
    Letter other = controlLetter(MessageKind::Report, 2);
    CHECK_FALSE(hooks.handle(early));
    CHECK_FALSE(hooks.handle(other));
    std::vector<std::int32_t> numbers;
    hooks.onControl(MessageKind::Left, [&numbers](const Letter& letter) { numbers.push_back(letter.envelope.number); });
    CHECK(hooks.unhandled().size() == 1);
    Letter late = controlLetter(MessageKind::Left, 3);
    CHECK(hooks.handle(late));
    CHECK(numbers == std::vector<std::int32_t>{1, 3});
}

TEST_CASE("MailboxHooks: the idle check is due when nothing has come, and now and then while letters keep coming") {
    MailboxHooks hooks;
    CHECK_FALSE(hooks.isCheckDue(false));
    int checks = 0;
    hooks.onIdle([&checks] { ++checks; });
    CHECK(hooks.isCheckDue(false));
    int due = 0;
    for (int i = 0; i < 640; ++i) due += hooks.isCheckDue(true) ? 1 : 0;
    CHECK(due == 10);
    hooks.check();
    CHECK(checks == 1);
}

TEST_CASE("MailboxHooks: without its function a hook changes nothing") {
    MailboxHooks hooks;
    Letter step = controlLetter(MessageKind::Collective, 1);
    CHECK(hooks.fateOf(step) == MailboxHooks::StepFate::Kept);
    hooks.sendHeldBack();
    int sends = 0;
    hooks.onRest([&sends] { ++sends; });
    hooks.sendHeldBack();
    hooks.onRest(nullptr);
    hooks.sendHeldBack();
    CHECK(sends == 1);
    hooks.onCollective([](Letter&) { return MailboxHooks::StepFate::Dropped; });
    CHECK(hooks.fateOf(step) == MailboxHooks::StepFate::Dropped);
}
