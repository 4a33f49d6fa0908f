#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <type_traits>
#include <vector>

#include <mpi.h>

#include <ferry/guard/known/LaterCommunicator.hpp>

#ifdef OPEN_MPI    // in other MPIs the Fortran functions call the C functions

/// Addresses that Fortran programs pass for "nothing": variables of Open MPI, from its mpif.h and its modules.
extern "C" {
extern MPI_Fint mpi_fortran_bottom_ __attribute__((weak));
extern MPI_Fint mpi_fortran_in_place_ __attribute__((weak));
extern MPI_Fint mpi_fortran_status_ignore_ __attribute__((weak));
extern MPI_Fint mpi_fortran_statuses_ignore_ __attribute__((weak));
extern MPI_Fint mpi_fortran_unweighted_ __attribute__((weak));
extern MPI_Fint mpi_fortran_weights_empty_ __attribute__((weak));
}

/// Converts the arguments of Fortran calls of MPI to C and back (MPI 3.1, chapter 17.2). The generated functions that Fortran programs call
/// use it.
namespace ferry::pmpi::fortran {

static_assert(std::is_same_v<MPI_Fint, int>, "INTEGER of Fortran is not int: its arrays would have to be copied");

inline MPI_Comm fromFortran(MPI_Fint number, MPI_Comm /*kind*/) { return MPI_Comm_f2c(number); }
inline MPI_Datatype fromFortran(MPI_Fint number, MPI_Datatype /*kind*/) { return MPI_Type_f2c(number); }
inline MPI_Op fromFortran(MPI_Fint number, MPI_Op /*kind*/) { return MPI_Op_f2c(number); }
inline MPI_Group fromFortran(MPI_Fint number, MPI_Group /*kind*/) { return MPI_Group_f2c(number); }
inline MPI_Info fromFortran(MPI_Fint number, MPI_Info /*kind*/) { return MPI_Info_f2c(number); }
inline MPI_Request fromFortran(MPI_Fint number, MPI_Request /*kind*/) { return MPI_Request_f2c(number); }
inline MPI_Message fromFortran(MPI_Fint number, MPI_Message /*kind*/) { return MPI_Message_f2c(number); }
inline MPI_File fromFortran(MPI_Fint number, MPI_File /*kind*/) { return MPI_File_f2c(number); }
inline MPI_Win fromFortran(MPI_Fint number, MPI_Win /*kind*/) { return MPI_Win_f2c(number); }

inline MPI_Fint toFortran(MPI_Comm handle) { return MPI_Comm_c2f(handle); }
inline MPI_Fint toFortran(MPI_Datatype handle) { return MPI_Type_c2f(handle); }
inline MPI_Fint toFortran(MPI_Op handle) { return MPI_Op_c2f(handle); }
inline MPI_Fint toFortran(MPI_Request handle) { return MPI_Request_c2f(handle); }
inline MPI_Fint toFortran(MPI_Message handle) { return MPI_Message_c2f(handle); }
inline MPI_Fint toFortran(MPI_File handle) { return MPI_File_c2f(handle); }
inline MPI_Fint toFortran(MPI_Win handle) { return MPI_Win_c2f(handle); }

/// A variable of Fortran in which the number of a communicator is put when it is made.
inline LaterResult laterResult(MPI_Fint* variable) noexcept {
    return LaterResult::ofOther(variable, [](void* number, MPI_Comm made) { *static_cast<MPI_Fint*>(number) = toFortran(made); });
}

template <class Handle>
Handle handle(const MPI_Fint* number) {
    return fromFortran(*number, Handle{});
}

/// A handle that the call may change. giveBack() writes only a changed handle.
template <class Handle>
class ChangedHandle {
public:
    explicit ChangedHandle(MPI_Fint* number) : number_(number), before_(handle<Handle>(number)), now_(before_) {}
    Handle* address() { return &now_; }
    void giveBack() const {
        if (now_ != before_) *number_ = toFortran(now_);
    }

private:
    MPI_Fint* number_;
    Handle before_;
    Handle now_;
};

/// An array of handles that the call may change.
template <class Handle>
class ChangedHandles {
public:
    ChangedHandles(MPI_Fint* numbers, MPI_Fint count) {
        for (MPI_Fint i = 0; i < count; ++i) handles_.emplace_back(numbers + i);
        for (ChangedHandle<Handle>& one : handles_) now_.push_back(*one.address());
    }
    Handle* address() { return now_.data(); }
    void giveBack() {
        for (std::size_t i = 0; i < now_.size(); ++i) {
            *handles_[i].address() = now_[i];
            handles_[i].giveBack();
        }
    }

private:
    std::vector<ChangedHandle<Handle>> handles_;
    std::vector<Handle> now_;
};

/// One status, or an array of them. MPI_STATUS_IGNORE and MPI_STATUSES_IGNORE are passed on.
class Statuses {
public:
    Statuses(MPI_Fint* integers, MPI_Fint count) : integers_(integers) {
        if (isIgnored()) return;
        statuses_.resize(static_cast<std::size_t>(std::max(count, 0)));
        for (std::size_t i = 0; i < statuses_.size(); ++i) MPI_Status_f2c(at(i), &statuses_[i]);
    }
    MPI_Status* address() { return isIgnored() ? MPI_STATUS_IGNORE : statuses_.data(); }
    void giveBack() {
        for (std::size_t i = 0; i < statuses_.size(); ++i) MPI_Status_c2f(&statuses_[i], at(i));
    }

private:
    static constexpr std::size_t length = sizeof(MPI_Status) / sizeof(MPI_Fint);

    bool isIgnored() const { return integers_ == &mpi_fortran_status_ignore_ || integers_ == &mpi_fortran_statuses_ignore_; }
    MPI_Fint* at(std::size_t index) const { return integers_ + index * length; }

    MPI_Fint* integers_;
    std::vector<MPI_Status> statuses_;
};

/// Changes indices that the call has returned: Fortran counts them from 1.
inline void countFromOne(MPI_Fint* indices, MPI_Fint count) {
    for (MPI_Fint i = 0; i < count; ++i) {
        if (indices[i] >= 0) ++indices[i];
    }
}

inline void* buffer(void* address) {
    if (address == &mpi_fortran_in_place_) return MPI_IN_PLACE;
    return address == &mpi_fortran_bottom_ ? MPI_BOTTOM : address;
}

inline const int* integers(const MPI_Fint* address) {
    if (address == &mpi_fortran_unweighted_) return MPI_UNWEIGHTED;
    return address == &mpi_fortran_weights_empty_ ? MPI_WEIGHTS_EMPTY : address;
}

/// A Fortran text as std::string. Its length is passed beside it, and blanks fill the rest.
inline std::string text(const char* characters, std::size_t length) {
    while (length > 0 && characters[length - 1] == ' ') --length;
    return {characters, length};
}

/// Hands out the result of a call. Programs may omit this argument with the modules of Fortran 2008.
inline void tell(MPI_Fint* error, int result) {
    if (error != nullptr) *error = result;
}

}    // namespace ferry::pmpi::fortran

#endif
