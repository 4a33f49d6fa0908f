#include <ferry/framework/master/CallJournal.hpp>

#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/framework/journal/Journal.hpp>
#include <ferry/tests/framework/JournalFiles.hpp>
#include <ferry/tests/support/TemporaryFolder.hpp>

using namespace ferry;
using namespace ferry::test;

namespace calljournaltest {

detail::BesideJob beside(detail::Journal* journal) {
    detail::BesideJob job;
    job.journal = journal;
    return job;
}

}    // namespace calljournaltest

using namespace calljournaltest;

TEST_CASE("CallJournal: a job without a journal answers no call and never has to write") {
    detail::CallJournal journal(beside(nullptr));
    detail::Call call;
    CHECK_FALSE(journal.isThere());
    CHECK_FALSE(journal.answer(call, {taskClass, 1, 1, intsOf(1)}, 0));
    CHECK(call.journalKey == nullptr);
    journal.add(call);
    journal.throwIfFailed();
    journal.write({});
    CHECK(journal.nextFlush() == detail::CallJournal::TimePoint::max());
}

TEST_CASE("CallJournal: the reply of one run answers the call of the next") {
    const TemporaryFolder folder;
    const std::vector<std::int32_t> task = intsOf(1);
    const std::vector<std::int32_t> reply = intsOf(42);
    {
        detail::Journal file(journalSettings(folder.path() / "jobs"));
        detail::CallJournal journal(beside(&file));
        detail::Call call;
        CHECK(journal.isThere());
        CHECK_FALSE(journal.answer(call, {taskClass, 1, 1, task}, 0));
        REQUIRE(call.journalKey != nullptr);
        call.reply = {replyClass, 1, 0, reply};
        journal.add(call);
        detail::Call left;    // has no key, so its reply stays out of the journal
        left.reply = {replyClass, 2, 0, reply};
        journal.add(left);
        journal.throwIfFailed();
        journal.write({});
    }
    detail::Journal file(journalSettings(folder.path() / "jobs"));
    CHECK(file.leftCount() == 1);
    detail::CallJournal journal(beside(&file));
    detail::Call call;
    call.number = 8;
    REQUIRE(journal.answer(call, {taskClass, 8, 1, task}, 0));
    CHECK(call.reply.key == replyClass);
    CHECK(call.reply.number == 8);
    CHECK(std::vector<std::int32_t>(call.reply.body.begin(), call.reply.body.end()) == reply);
    detail::Call again;
    CHECK_FALSE(journal.answer(again, {taskClass, 9, 1, task}, 0));
}
