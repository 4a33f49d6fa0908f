#include <ferry/guard/region/DeferredCollectives.hpp>

#include <algorithm>
#include <utility>

#include <ferry/guard/known/MpiMust.hpp>

namespace ferry::pmpi {

namespace {

int tellResult(void* result, MPI_Status* status) {
    must(PMPI_Status_set_elements(status, MPI_BYTE, 0), "MPI_Status_set_elements");
    must(PMPI_Status_set_cancelled(status, 0), "MPI_Status_set_cancelled");
    status->MPI_SOURCE = MPI_UNDEFINED;
    status->MPI_TAG = MPI_UNDEFINED;
    return *static_cast<int*>(result);
}

int dropResult(void* result) {
    delete static_cast<int*>(result);
    return MPI_SUCCESS;
}

int cancelNothing(void* /*result*/, int /*isComplete*/) { return MPI_SUCCESS; }

}    // namespace

MPI_Request DeferredCollectives::add(const Communicator& communicator, const CallSignature& signature, Call call,
                                     std::shared_ptr<LaterCommunicator> made) {
    Deferred& one = all_.emplace_back();
    one.communicator = &communicator;
    one.number = tree_.enter(communicator, signature.hash(communicator));
    one.signature = signature;
    one.call = std::move(call);
    one.made = std::move(made);
    one.result = new int(MPI_SUCCESS);    // dropResult() deletes it, when MPI frees the request
    must(PMPI_Grequest_start(tellResult, dropResult, cancelNothing, one.result, &one.handle), "MPI_Grequest_start");
    return one.handle;
}

std::vector<MPI_Request> DeferredCollectives::handles() const {
    std::vector<MPI_Request> handles;
    for (const Deferred& one : all_) handles.push_back(one.handle);
    return handles;
}

std::string DeferredCollectives::textOf(const EntryTree::Place& place) const {
    const auto found = std::find_if(all_.begin(), all_.end(), [&](const Deferred& one) {
        return one.communicator->id == place.communicator && one.number == place.number;
    });
    return found != all_.end() && found->signature ? found->signature->text(*found->communicator) : "";
}

std::uint64_t DeferredCollectives::hashOf(const Communicator& communicator, std::uint64_t first, std::uint64_t last) const {
    constexpr std::uint64_t factor = 0x9E3779B97F4A7C15U;
    std::uint64_t hash = 0;
    for (const Deferred& one : all_) {
        if (one.communicator == &communicator && one.signature && one.number > first && one.number <= last)
            hash = (hash ^ one.signature->hash(communicator)) * factor;
    }
    return hash;
}

void DeferredCollectives::advance() {
    if (all_.empty()) return;
    tree_.look();
    for (auto one = all_.begin(); one != all_.end();) {
        if (!one->isMade && one->number <= tree_.enteredByAll(*one->communicator) && !isMakingBefore(*one)) make(*one);
        if (!isOver(*one)) {
            ++one;
            continue;
        }
        if (one->made) one->made->deliver();
        complete(*one);
        one = all_.erase(one);
    }
    freeWhenEmpty();
}

bool DeferredCollectives::isAnyMade() const noexcept {
    return std::any_of(all_.begin(), all_.end(), [](const Deferred& one) { return one.isMade; });
}

bool DeferredCollectives::haveAllBeenMadeOn(const Communicator& communicator) const {
    return std::all_of(all_.begin(), all_.end(),
                       [&](const Deferred& one) { return one.communicator != &communicator || (one.isMade && one.made == nullptr); });
}

void DeferredCollectives::makeUpTo(std::uint64_t number, const Communicator& communicator) {
    for (Deferred& one : all_) {
        if (one.communicator != &communicator || one.number > number) continue;
        if (!one.isMade) make(one);
        if (one.made) waitFor(one);
    }
}

void DeferredCollectives::finish() {
    for (Deferred& one : all_) {
        waitFor(one);
        if (one.made && one.made->drop()) haveDropped_ = true;
        complete(one);
    }
    all_.clear();
    freeWhenEmpty();
}

/// Whether a communicator is being made by an earlier call on the same communicator. Open MPI 4.1 can hang when two are made at once.
bool DeferredCollectives::isMakingBefore(const Deferred& next) const {
    for (const Deferred& one : all_) {
        if (&one == &next) return false;
        if (one.communicator == next.communicator && one.made) return true;
    }
    return false;
}

void DeferredCollectives::make(Deferred& one) {
    one.isMade = true;
    *one.result = one.call(&one.own);
}

bool DeferredCollectives::isOver(Deferred& one) {
    if (!one.isMade) return false;
    if (*one.result != MPI_SUCCESS) return true;
    int isDone = 0;
    *one.result = PMPI_Test(&one.own, &isDone, MPI_STATUS_IGNORE);
    if (*one.result != MPI_SUCCESS) return true;
    return isDone != 0 && !(one.made && one.made->goOn(&one.own));
}

void DeferredCollectives::waitFor(Deferred& one) {
    while (one.own != MPI_REQUEST_NULL) {
        must(PMPI_Wait(&one.own, MPI_STATUS_IGNORE), "MPI_Wait");
        if (one.made) one.made->goOn(&one.own);
    }
}

void DeferredCollectives::complete(Deferred& one) { must(PMPI_Grequest_complete(one.handle), "MPI_Grequest_complete"); }

void DeferredCollectives::freeWhenEmpty() {
    if (!all_.empty()) return;
    for (MPI_Datatype& type : types_) must(PMPI_Type_free(&type), "MPI_Type_free");
    for (MPI_Op& operation : operations_) must(PMPI_Op_free(&operation), "MPI_Op_free");
    types_.clear();
    operations_.clear();
}

}    // namespace ferry::pmpi
