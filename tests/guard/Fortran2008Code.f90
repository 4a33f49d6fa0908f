! By the module mpi_f08: handles are types, and nobody asks for errors. Before calls stands step().
module ferry_objects
    use mpi_f08
    implicit none
    type(MPI_Comm), save :: own = MPI_COMM_NULL
    type(MPI_Comm), save, asynchronous :: copy = MPI_COMM_NULL
    type(MPI_Comm), save :: circle = MPI_COMM_NULL
    type(MPI_File), save :: file = MPI_FILE_NULL
    type(MPI_Win), save :: window = MPI_WIN_NULL
    double precision, save :: shared(4)
    double precision, allocatable, save :: all(:)

contains
    subroutine freeObjects() bind(C, name="ferry_test_free_fortran_2008")
        if (window /= MPI_WIN_NULL) call MPI_Win_free(window)
        if (file /= MPI_FILE_NULL) call MPI_File_close(file)
        if (circle /= MPI_COMM_NULL) call MPI_Comm_free(circle)
        if (copy /= MPI_COMM_NULL) call MPI_Comm_free(copy)
        if (own /= MPI_COMM_NULL) call MPI_Comm_free(own)
        if (allocated(all)) deallocate(all)
    end subroutine freeObjects
end module ferry_objects

! Calls with arrays of types, whose lengths no argument tells.
subroutine exchangeInCircle(rank, size, total)
    use mpi_f08
    use ferry_objects
    use ferry_steps
    implicit none
    integer, intent(in) :: rank, size
    double precision, intent(inout) :: total
    integer, asynchronous :: given(2), taken(2), counts(2)
    integer(kind=MPI_ADDRESS_KIND), asynchronous :: places(2)
    type(MPI_Datatype), asynchronous :: types(2)
    type(MPI_Request) :: request

    given = [rank + 1, 10 * rank]
    counts = 1
    places = [0, 4]
    types = MPI_INTEGER
    call step()
    call MPI_Cart_create(own, 1, [size], [.true.], .false., circle)
    taken = 0
    call step()
    call MPI_Neighbor_alltoallw(given, counts, places, types, taken, counts, places, types, circle)
    total = total + sum(taken)
    taken = 0
    call step()
    call MPI_Ineighbor_alltoallw(given, counts, places, types, taken, counts, places, types, circle, request)
    call step()
    call MPI_Wait(request, MPI_STATUS_IGNORE)
    total = total + sum(taken)
    call step()
    call MPI_Comm_free(circle)
end subroutine exchangeInCircle

subroutine fortran2008Code(worldNumber, fileName, total) bind(C, name="ferry_test_fortran_2008_code")
    use mpi_f08
    use ferry_objects
    use ferry_steps
    implicit none
    integer(c_int), intent(in) :: worldNumber
    character(kind=c_char), intent(in) :: fileName(*)
    real(c_double), intent(out) :: total
    type(MPI_Comm) :: world
    type(MPI_Request) :: requests(2)
    type(MPI_Status) :: status, statuses(2)
    character(len=300) :: name
    integer :: rank, size, next, i, numbers(4), largest
    integer(kind=MPI_ADDRESS_KIND) :: bytes, place
    integer(kind=MPI_OFFSET_KIND) :: offset
    double precision :: one(1)

    world%MPI_VAL = worldNumber
    call step()
    call MPI_Comm_dup(world, own)
    call MPI_Comm_rank(own, rank)
    call MPI_Comm_size(own, size)
    next = mod(rank + 1, size)
    numbers = rank
    call step()
    call MPI_Irecv(largest, 1, MPI_INTEGER, MPI_ANY_SOURCE, 1, own, requests(1))
    call step()
    call MPI_Isend(rank, 1, MPI_INTEGER, next, 1, own, requests(2))
    call step()
    call MPI_Waitall(2, requests, statuses)
    total = largest + 100 * statuses(1)%MPI_SOURCE + statuses(1)%MPI_TAG
    call step()
    call MPI_Bcast(numbers, 4, MPI_INTEGER, size - 1, own)
    call step()
    call MPI_Comm_idup(own, copy, requests(1))
    call step()
    call MPI_Wait(requests(1), status)
    call step()
    call MPI_Barrier(copy)
    allocate(all(size))
    one = rank + sum(numbers)
    call step()
    call MPI_Allgather(one, 1, MPI_DOUBLE_PRECISION, all, 1, MPI_DOUBLE_PRECISION, own)
    total = total + sum(all)
    call exchangeInCircle(rank, size, total)

    bytes = 4 * 8
    shared = rank
    call step()
    call MPI_Win_create(shared, bytes, 8, MPI_INFO_NULL, own, window)
    call step()
    call MPI_Win_fence(0, window)
    place = 2
    call MPI_Put(one, 1, MPI_DOUBLE_PRECISION, next, place, 1, MPI_DOUBLE_PRECISION, window)
    call step()
    call MPI_Win_fence(0, window)
    total = total + shared(3)

    name = " "
    do i = 1, len(name)
        if (fileName(i) == c_null_char) exit
        name(i:i) = fileName(i)
    end do
    call step()
    call MPI_File_open(own, name, MPI_MODE_CREATE + MPI_MODE_RDWR + MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, file)
    offset = rank * 8
    call step()
    call MPI_File_write_at_all(file, offset, one, 1, MPI_DOUBLE_PRECISION, status)
    offset = next * 8
    call step()
    call MPI_File_sync(file)
    call step()
    call MPI_Barrier(own)
    call step()
    call MPI_File_read_at_all(file, offset, one, 1, MPI_DOUBLE_PRECISION, MPI_STATUS_IGNORE)
    total = total + 7 * one(1)
    call step()
    call MPI_Allreduce(MPI_IN_PLACE, total, 1, MPI_DOUBLE_PRECISION, MPI_SUM, own)
end subroutine fortran2008Code
