#include <ferry/framework/master/Master.hpp>

#include <ferry/connector/message/DeadlineScope.hpp>
#include <ferry/framework/master/BesideJob.hpp>
#include <ferry/framework/master/Call.hpp>
#include <ferry/framework/master/Dispatcher.hpp>

namespace ferry {

Master::Master(Connector& connector, const detail::BesideJob& beside)
    : connector_(connector),
      dispatcher_(detail::SoleOwner<detail::Dispatcher>::make(connector, beside)),
      desk_(*dispatcher_) {}
Master::Master(Connector& connector) : Master(connector, detail::BesideJob()) {}
Master::~Master() = default;

int Master::slaveCount() const noexcept { return dispatcher_->slaveCount(); }

void Master::waitForAll(Deadline deadline) {
    const detail::DeadlineScope scope = connector_.limitWaits(deadline);
    dispatcher_->waitForAll();
}

void Master::addSlaves(int count) { dispatcher_->addSlaves(count); }
int Master::dismissSlaves(int count) { return dispatcher_->dismissSlaves(count); }

void Master::adopt(std::int32_t classId, std::function<void(std::shared_ptr<detail::Completion>)> adopter) {
    dispatcher_->onSubmitted(classId, [adopter = std::move(adopter)](std::shared_ptr<detail::Call> call) { adopter(std::move(call)); });
}

std::int32_t Master::share(std::int32_t key, const std::function<void(IntWriter&)>& write) { return dispatcher_->share(key, write); }
bool Master::unshare(std::int32_t key) { return dispatcher_->unshare(key); }

}    // namespace ferry
