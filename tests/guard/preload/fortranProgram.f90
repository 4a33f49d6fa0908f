! A program in Fortran 2008 that knows nothing of Ferry. The argument selects how the last rank ends, while the others wait for it.
module parts
    use mpi_f08
    implicit none
    integer :: rank, size
    logical :: isLast
    character(len=20) :: way
contains
    subroutine combine(given, kept, length, kind)
        use, intrinsic :: iso_c_binding, only: c_ptr, c_f_pointer
        type(c_ptr), value :: given, kept
        integer :: length
        type(MPI_Datatype) :: kind
        integer, pointer :: left(:), right(:)
        call c_f_pointer(given, left, [length])
        call c_f_pointer(kept, right, [length])
        if (way == 'operatorStops') error stop 9
        right = left + right
    end subroutine combine

    subroutine sumInPlace(operation)
        type(MPI_Op), intent(in) :: operation
        integer :: total(2)
        total = rank + 1
        call MPI_Allreduce(MPI_IN_PLACE, total, 2, MPI_INTEGER, operation, MPI_COMM_WORLD)
        if (any(total /= size*(size + 1)/2)) print '(A)', 'wrong sum'
    end subroutine sumInPlace

    subroutine broadcastFromBottom
        integer, asynchronous :: number
        integer(MPI_ADDRESS_KIND) :: place
        type(MPI_Datatype) :: there
        number = rank
        call MPI_Get_address(number, place)
        call MPI_Type_create_struct(1, [1], [place], [MPI_INTEGER], there)
        call MPI_Type_commit(there)
        call MPI_Bcast(MPI_BOTTOM, 1, there, 0, MPI_COMM_WORLD)
        call MPI_Type_free(there)
        if (number /= 0) print '(A)', 'wrong number'
    end subroutine broadcastFromBottom

    subroutine passAround
        integer :: received
        type(MPI_Request) :: requests(2)
        type(MPI_Status) :: status
        call MPI_Irecv(received, 1, MPI_INTEGER, modulo(rank - 1, size), 1, MPI_COMM_WORLD, requests(1))
        call MPI_Isend(rank, 1, MPI_INTEGER, modulo(rank + 1, size), 1, MPI_COMM_WORLD, requests(2))
        call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE)
        call MPI_Sendrecv(rank, 1, MPI_INTEGER, modulo(rank + 1, size), 2, received, 1, MPI_INTEGER, MPI_ANY_SOURCE, 2, &
            MPI_COMM_WORLD, status)
        if (status%MPI_SOURCE /= received) print '(A)', 'wrong source'
    end subroutine passAround

    subroutine exchangeByTypes
        integer :: i, given(size), taken(size), counts(size), places(size)
        type(MPI_Datatype) :: types(size)
        given = [(100*rank + i, i=0, size - 1)]
        counts = 1
        places = [(4*i, i=0, size - 1)]
        types = MPI_INTEGER
        call MPI_Alltoallw(given, counts, places, types, taken, counts, places, types, MPI_COMM_WORLD)
        if (any(taken /= [(100*i + rank, i=0, size - 1)])) print '(A)', 'wrong numbers'
    end subroutine exchangeByTypes

    subroutine fail
        integer :: unit, number(2)
        if (.not. isLast) return
        select case (way)
        case ('stops', 'stopsBesideTypes')
            stop 3
        case ('stopsWithError')
            error stop 7
        case ('opensNoFile')
            open (newunit=unit, file='/there/is/none', status='old')
        case ('differs')
            call MPI_Bcast(number, 2, MPI_INTEGER, 0, MPI_COMM_WORLD)
        end select
    end subroutine fail

    subroutine wait
        integer :: number
        select case (way)
        case ('stops')
            call MPI_Barrier(MPI_COMM_WORLD)
        case ('stopsBesideTypes')
            call exchangeByTypes
        case ('stopsWithError')
            call MPI_Recv(number, 1, MPI_INTEGER, size - 1, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
        case default
            call sumInPlace(MPI_SUM)
        end select
    end subroutine wait
end module parts

program fortranProgram
    use parts
    implicit none
    type(MPI_Op) :: operation
    call get_command_argument(1, way)
    call MPI_Init
    call MPI_Comm_rank(MPI_COMM_WORLD, rank)
    call MPI_Comm_size(MPI_COMM_WORLD, size)
    isLast = rank == size - 1
    call MPI_Op_create(combine, .true., operation)
    call sumInPlace(operation)
    call MPI_Op_free(operation)
    call broadcastFromBottom
    call passAround
    call exchangeByTypes
    call fail
    call wait
    if (rank == 0) print '(A)', 'all rounds done'
    call MPI_Finalize
end program fortranProgram
