! A time step as Fortran codes have it, by the module mpi: borders to the neighbours, sums to all. Before calls stands step().
module ferry_steps
    use, intrinsic :: iso_c_binding
    implicit none

    interface
        subroutine step() bind(C, name="ferry_test_step")
        end subroutine step
    end interface
end module ferry_steps

! What has to be freed when an exception passes the kernel, which no compiler of Fortran does.
module ferry_handles
    use mpi
    implicit none
    integer, save :: halves = MPI_COMM_NULL          ! a communicator for every second rank
    integer, save, asynchronous :: copy = MPI_COMM_NULL
    integer, save :: sending = MPI_REQUEST_NULL      ! persistent

contains
    subroutine freeHandles() bind(C, name="ferry_test_free_fortran")
        integer :: error
        if (sending /= MPI_REQUEST_NULL) call MPI_Request_free(sending, error)
        if (copy /= MPI_COMM_NULL) call MPI_Comm_free(copy, error)
        if (halves /= MPI_COMM_NULL) call MPI_Comm_free(halves, error)
    end subroutine freeHandles
end module ferry_handles

subroutine exchangeBorders(communicator, rank, size, total)
    use mpi
    use ferry_steps
    implicit none
    integer, intent(in) :: communicator, rank, size
    double precision, intent(inout) :: total
    integer, parameter :: length = 3000
    double precision :: left(length), right(length), sent(length)
    integer :: requests(4), statuses(MPI_STATUS_SIZE, 4), status(MPI_STATUS_SIZE), indices(4)
    integer :: next, previous, error, place, done, doneCount, i

    next = mod(rank + 1, size)
    previous = mod(rank + size - 1, size)
    sent = rank + 1
    call step()
    call MPI_Irecv(left, length, MPI_DOUBLE_PRECISION, previous, 1, communicator, requests(1), error)
    call step()
    call MPI_Irecv(right, length, MPI_DOUBLE_PRECISION, next, 2, communicator, requests(2), error)
    call step()
    call MPI_Isend(sent, length, MPI_DOUBLE_PRECISION, next, 1, communicator, requests(3), error)
    call step()
    call MPI_Isend(sent, length, MPI_DOUBLE_PRECISION, previous, 2, communicator, requests(4), error)
    call step()
    call MPI_Waitall(4, requests, statuses, error)
    total = total + left(length) + 2 * right(1) + statuses(MPI_TAG, 1) + 10 * statuses(MPI_SOURCE, 2)

    call MPI_Irecv(left, 10, MPI_DOUBLE_PRECISION, previous, 3, communicator, requests(1), error)
    call MPI_Irecv(right, 10, MPI_DOUBLE_PRECISION, next, 4, communicator, requests(2), error)
    call MPI_Isend(sent, 10, MPI_DOUBLE_PRECISION, next, 3, communicator, requests(3), error)
    call MPI_Isend(sent, 10, MPI_DOUBLE_PRECISION, previous, 4, communicator, requests(4), error)
    done = 0
    call step()
    call MPI_Waitany(4, requests, place, status, error)
    if (place < 1 .or. place > 4) total = total + 1e9
    if (requests(place) /= MPI_REQUEST_NULL) total = total + 1e9
    call step()
    do while (done < 3)
        call MPI_Waitsome(4, requests, doneCount, indices, MPI_STATUSES_IGNORE, error)
        do i = 1, doneCount
            if (requests(indices(i)) /= MPI_REQUEST_NULL) total = total + 1e9
        end do
        done = done + doneCount
    end do
    total = total + sum(left(1:10)) + 3 * sum(right(1:10))
end subroutine exchangeBorders

subroutine passAround(communicator, rank, size, total)
    use mpi
    use ferry_handles
    use ferry_steps
    implicit none
    integer, intent(in) :: communicator, rank, size
    double precision, intent(inout) :: total
    double precision :: values(5), received(5)
    integer :: next, previous, error, status(MPI_STATUS_SIZE), count
    logical :: isThere

    next = mod(rank + 1, size)
    previous = mod(rank + size - 1, size)
    values = rank
    call step()
    call MPI_Sendrecv(values, 5, MPI_DOUBLE_PRECISION, next, 5, &
                      received, 5, MPI_DOUBLE_PRECISION, previous, 5, communicator, status, error)
    total = total + sum(received) + status(MPI_SOURCE)
    call MPI_Send_init(values, 5, MPI_DOUBLE_PRECISION, next, 6, communicator, sending, error)
    call step()
    call MPI_Start(sending, error)
    call step()
    call MPI_Probe(previous, MPI_ANY_TAG, communicator, status, error)
    call MPI_Get_count(status, MPI_DOUBLE_PRECISION, count, error)
    call step()
    call MPI_Recv(received, count, MPI_DOUBLE_PRECISION, status(MPI_SOURCE), status(MPI_TAG), &
                  communicator, MPI_STATUS_IGNORE, error)
    isThere = .false.
    call step()
    do while (.not. isThere)
        call MPI_Test(sending, isThere, MPI_STATUS_IGNORE, error)
    end do
    call MPI_Request_free(sending, error)
    if (sending /= MPI_REQUEST_NULL) total = total + 1e9
    total = total + count * sum(received)
end subroutine passAround

! Requests that are tested until they are over, and a message that is matched before it is received.
subroutine finishByTests(communicator, rank, size, total)
    use mpi
    use ferry_steps
    implicit none
    integer, intent(in) :: communicator, rank, size
    double precision, intent(inout) :: total
    integer, parameter :: length = 40
    double precision :: taken(length, 3), given(length)
    integer :: requests(6), statuses(MPI_STATUS_SIZE, 6), status(MPI_STATUS_SIZE), indices(6)
    integer :: next, previous, error, round, place, done, doneCount, message, i
    logical :: isOver

    next = mod(rank + 1, size)
    previous = mod(rank + size - 1, size)
    given = rank + 1
    do round = 1, 3
        do i = 1, 3
            call step()
            call MPI_Irecv(taken(1, i), length, MPI_DOUBLE_PRECISION, previous, 20 + i, communicator, requests(i), error)
            call MPI_Isend(given, length, MPI_DOUBLE_PRECISION, next, 20 + i, communicator, requests(3 + i), error)
        end do
        done = 0
        isOver = .false.
        call step()
        if (round == 1) then
            do while (done < 6)
                call MPI_Testany(6, requests, place, isOver, status, error)
                if (.not. isOver) cycle
                if (place < 1 .or. place > 6) total = total + 1e9
                if (requests(place) /= MPI_REQUEST_NULL) total = total + 1e9
                if (place <= 3) total = total + status(MPI_TAG) + 7 * status(MPI_SOURCE)
                done = done + 1
            end do
        else if (round == 2) then
            do while (done < 6)
                call MPI_Testsome(6, requests, doneCount, indices, statuses, error)
                do i = 1, doneCount
                    if (requests(indices(i)) /= MPI_REQUEST_NULL) total = total + 1e9
                    if (indices(i) <= 3) total = total + statuses(MPI_TAG, i) + 7 * statuses(MPI_SOURCE, i)
                end do
                done = done + doneCount
            end do
        else
            do while (.not. isOver)
                call MPI_Testall(6, requests, isOver, statuses, error)
            end do
            total = total + sum(statuses(MPI_TAG, 1:3)) + 7 * sum(statuses(MPI_SOURCE, 1:3))
        end if
        if (any(requests /= MPI_REQUEST_NULL)) total = total + 1e9
        total = total + sum(taken)
    end do
    call MPI_Testsome(6, requests, doneCount, indices, statuses, error)
    if (doneCount /= MPI_UNDEFINED) total = total + 1e9

    call step()
    call MPI_Isend(given, length, MPI_DOUBLE_PRECISION, next, 30, communicator, requests(1), error)
    call step()
    call MPI_Mprobe(previous, MPI_ANY_TAG, communicator, message, status, error)
    call step()
    call MPI_Mrecv(taken, length, MPI_DOUBLE_PRECISION, message, status, error)
    if (message /= MPI_MESSAGE_NULL) total = total + 1e9
    total = total + status(MPI_TAG) + sum(taken)
    call step()
    call MPI_Wait(requests(1), MPI_STATUS_IGNORE, error)
end subroutine finishByTests

! Calls with arrays of types, whose lengths no argument tells, by mpif.h.
subroutine exchangeByTypes(communicator, rank, size, total)
    use ferry_steps
    implicit none
    include 'mpif.h'
    integer, intent(in) :: communicator, rank, size
    double precision, intent(inout) :: total
    integer, parameter :: most = 64    ! ranks; an array of the length size would lie on the heap, and no unwinding frees it
    integer, asynchronous :: counts(most), places(most), types(most), given(most), taken(most)
    integer :: error, request, i

    if (size > most) error stop "exchangeByTypes: more than 64 ranks"
    taken = 0
    counts = 1
    types = MPI_INTEGER
    do i = 1, size
        places(i) = 4 * (i - 1)
        given(i) = 100 * rank + i
    end do
    call step()
    call MPI_Alltoallw(given, counts, places, types, taken, counts, places, types, communicator, error)
    total = total + sum(taken)
    taken = 0
    call step()
    call MPI_Ialltoallw(given, counts, places, types, taken, counts, places, types, communicator, request, error)
    call step()
    call MPI_Wait(request, MPI_STATUS_IGNORE, error)
    if (request /= MPI_REQUEST_NULL) total = total + 1e9
    total = total + sum(taken)
end subroutine exchangeByTypes

! The same by the module mpi, in one array.
subroutine exchangeInPlace(communicator, rank, size, total)
    use mpi
    use ferry_steps
    implicit none
    integer, intent(in) :: communicator, rank, size
    double precision, intent(inout) :: total
    integer, parameter :: most = 64    ! ranks, as above
    integer :: counts(most), places(most), types(most), values(most), error, i

    values = 0
    counts = 1
    types = MPI_INTEGER
    do i = 1, size
        places(i) = 4 * (i - 1)
        values(i) = 1000 * rank + i
    end do
    call step()
    call MPI_Alltoallw(MPI_IN_PLACE, counts, places, types, values, counts, places, types, communicator, error)
    total = total + sum(values)
end subroutine exchangeInPlace

subroutine fortranCode(worldCommunicator, total) bind(C, name="ferry_test_fortran_code")
    use mpi
    use ferry_handles
    use ferry_steps
    implicit none
    integer(c_int), intent(in) :: worldCommunicator
    real(c_double), intent(out) :: total
    integer :: rank, size, error, request
    double precision :: sums(2)

    call MPI_Comm_rank(worldCommunicator, rank, error)
    call MPI_Comm_size(worldCommunicator, size, error)
    total = 0
    call exchangeBorders(worldCommunicator, rank, size, total)
    call step()
    call MPI_Comm_split(worldCommunicator, mod(rank, 2), rank, halves, error)
    call MPI_Comm_rank(halves, rank, error)
    call MPI_Comm_size(halves, size, error)
    call passAround(halves, rank, size, total)
    call finishByTests(halves, rank, size, total)
    call exchangeByTypes(halves, rank, size, total)
    call exchangeInPlace(halves, rank, size, total)
    sums = [total, 1d0]
    call step()
    call MPI_Iallreduce(MPI_IN_PLACE, sums, 2, MPI_DOUBLE_PRECISION, MPI_SUM, halves, request, error)
    call step()
    call MPI_Wait(request, MPI_STATUS_IGNORE, error)
    call step()
    call MPI_Comm_idup(halves, copy, request, error)
    call step()
    call MPI_Wait(request, MPI_STATUS_IGNORE, error)
    call step()
    call MPI_Allreduce(MPI_IN_PLACE, sums, 2, MPI_DOUBLE_PRECISION, MPI_MAX, copy, error)
    call step()
    call MPI_Comm_free(copy, error)
    call step()
    call MPI_Comm_free(halves, error)
    if (halves /= MPI_COMM_NULL .or. copy /= MPI_COMM_NULL) sums = 1e9
    call step()
    call MPI_Allreduce(MPI_IN_PLACE, sums, 2, MPI_DOUBLE_PRECISION, MPI_SUM, worldCommunicator, error)
    total = sums(1) + 1000 * sums(2)
end subroutine fortranCode
