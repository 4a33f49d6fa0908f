// Classes whose operator& must not be called, as tasks, replies and results that stay.
#include <vector>

#include <doctest/doctest.h>

#include <ferry/framework/slave/Ref.hpp>
#include <ferry/tests/framework/TestTasks.hpp>
#include <ferry/tests/support/Ranks.hpp>
#include <ferry/tests/support/Unaddressable.hpp>

using namespace ferry;
using namespace ferry::test;

namespace addressOperatorJobTest {

struct GiveRecord {
    int number = 0;
    using Reply = UnaddressableRecord;
    void operator&() const = delete;
};
struct NumberOf {
    Ref<UnaddressableRecord> record;
    UnaddressableMembers members;
    using Reply = UnaddressablePlain;
    FERRY_FIELDS(record, members)
    void operator&() const = delete;
};

void define(Slave& slave) {
    slave.on<GiveRecord>([](const GiveRecord& task) { return UnaddressableRecord(task.number); });
    slave.on<NumberOf>([](const NumberOf& task) {
        return UnaddressablePlain{task.members == UnaddressableMembers::example() ? task.record->number : -1, 0};
    });
}

}    // namespace addressOperatorJobTest

TEST_CASE("Address operator: tasks, replies and results that stay may have an operator&") {
    using namespace addressOperatorJobTest;
    runJob(define, [](Master& master) {
        CHECK(master.submit(GiveRecord{3}).get() == UnaddressableRecord(3));
        NumberOf task;
        task.record = master.submit(GiveRecord{4}, Keep{}).get();
        task.members = UnaddressableMembers::example();
        CHECK(master.submit(task).get().number == 4);
        CHECK(task.record.get() == UnaddressableRecord(4));

        std::vector<GiveRecord> tasks(5);
        for (int i = 0; i < 5; ++i) tasks[static_cast<std::size_t>(i)].number = i;
        int sum = 0;
        auto replies = master.map(tasks);
        for (auto reply = replies.begin(); reply != replies.end(); ++reply) sum += reply->number;
        CHECK(sum == 10);
    });
}
