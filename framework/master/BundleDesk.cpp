#include <ferry/framework/master/BundleDesk.hpp>

#include <algorithm>
#include <chrono>
#include <exception>
#include <string>
#include <utility>

#include <ferry/connector/verbs/Inside.hpp>
#include <ferry/framework/master/Dispatcher.hpp>
#include <ferry/framework/monitor/ifMemory.hpp>
#include <ferry/framework/parcel/JobKind.hpp>
#include <ferry/framework/slave/Ref.hpp>
#include <ferry/serialization/exception/UsageError.hpp>

namespace ferry::detail {

namespace {

// A bundle waits no longer for further tasks.
constexpr std::chrono::milliseconds longestWait{1};

}    // namespace

std::shared_ptr<DroppedMaps> BundleDesk::droppedMaps() const {
    desk_.requireThread();
    return desk_.dispatcher().followers().droppedMaps();
}

std::size_t BundleDesk::sizeFor(const Completion& task) const {
    const Bundles* const bundles = desk_.dispatcher().bundles();
    return bundles != nullptr ? bundles->sizeFor(static_cast<const Call&>(task)) : 1;
}

std::shared_ptr<Bundle> BundleDesk::make(const TaskOptions& options) const { return desk_.dispatcher().bundles()->make(options); }

bool BundleDesk::add(Bundle& bundle, const Message& task) const {
    requireOwnClassId(task);
    KeptResults::Written refs(desk_.dispatcher().bundles()->kept());
    IntBuffer parcel;
    {
        const RefScope::Active active(refs);
        parcel = packParcel(mailboxOf(desk_.connector()), JobKind::Request, {task.classId(), Bundles::numberOfNext(bundle), 1},
                            [&task](IntWriter& out) { out << task; });
    }
    return !refs.isAny() && desk_.dispatcher().bundles()->add(bundle, task.classId(), std::move(parcel));
}

void BundleDesk::addFailed(Bundle& bundle, const std::exception_ptr& failure) const {
    desk_.dispatcher().bundles()->addFailed(bundle, failure);
}

bool BundleDesk::isLate(TimePoint begin) const { return desk_.connector().now() - begin > longestWait; }
BundleDesk::TimePoint BundleDesk::now() const { return desk_.connector().now(); }

BundleDesk::Wanted BundleDesk::submit(const std::shared_ptr<Bundle>& bundle) const {
    Call task;    // stands for one task
    task.facts = bundle->call->facts;
    task.facts.ints = bundle->call->request.size() / std::max<std::size_t>(bundle->slots.size(), 1);
    desk_.dispatcher().submit(bundle);
    return {desk_.dispatcher().wantedCount(task), sizeFor(task)};
}

void BundleDesk::fail(Bundle& bundle, const std::exception_ptr& failure) const { desk_.dispatcher().bundles()->fail(bundle, failure); }

ArrivedReply BundleDesk::replyOf(const Bundle::Slot& slot, std::int32_t classId, const char* className) const {
    if (slot.failure) std::rethrow_exception(slot.failure);
    if (slot.reply.key != classId) {
        const std::string answer = factory().nameOf(slot.reply.key);
        throw UsageError("the slave answered with a " + answer + ", not with a " + className);
    }
    return {slot.reply.body, slot.answeringRank};
}

const ObjectFactory& BundleDesk::factory() const { return desk_.factory(); }

void BundleDesk::drop(Bundle& bundle) const {
    if (desk_.isOver()) return;
    ifMemory([&] {    // without memory the slaves do tasks in vain
        for (const std::shared_ptr<Call>& call : desk_.dispatcher().bundles()->drop(bundle)) desk_.withdraw(*call);
    });
}

}    // namespace ferry::detail
