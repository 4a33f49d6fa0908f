#include <ferry/connector/message/state/MailboxHooks.hpp>

#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

using namespace ferry;

namespace {

detail::Letter controlLetter(detail::MessageKind kind, std::int32_t number) {
    return detail::Letter{0, detail::Envelope{kind, 0, number}, IntBuffer()};
}

}    // namespace

TEST_CASE("MailboxHooks: a handler gets the letters of its kind, and first those that came before it was set") {
    detail::MailboxHooks hooks;
    detail::Letter early = controlLetter(detail::MessageKind::Left, 1);
    detail::Letter other = controlLetter(detail::MessageKind::Shrink, 2);
    CHECK_FALSE(hooks.handle(early));
    CHECK_FALSE(hooks.handle(other));
    std::vector<std::int32_t> numbers;
    hooks.onControl(detail::MessageKind::Left, [&numbers](const detail::Letter& letter) { numbers.push_back(letter.envelope.number); });
    CHECK(hooks.unhandled().size() == 1);
    detail::Letter late = controlLetter(detail::MessageKind::Left, 3);
    CHECK(hooks.handle(late));
    CHECK(numbers == std::vector<std::int32_t>{1, 3});
}

TEST_CASE("MailboxHooks: the idle check is due when nothing has come, and now and then while letters keep coming") {
    detail::MailboxHooks hooks;
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
    detail::MailboxHooks hooks;
    detail::Letter step = controlLetter(detail::MessageKind::Collective, 1);
    CHECK(hooks.fateOf(step) == detail::MailboxHooks::StepFate::Kept);
    hooks.sendHeldBack();
    int sends = 0;
    hooks.onRest([&sends] { ++sends; });
    hooks.sendHeldBack();
    hooks.onRest(nullptr);
    hooks.sendHeldBack();
    CHECK(sends == 1);
    hooks.onCollective([](detail::Letter&) { return detail::MailboxHooks::StepFate::Dropped; });
    CHECK(hooks.fateOf(step) == detail::MailboxHooks::StepFate::Dropped);
}
