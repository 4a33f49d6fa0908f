! A program in Fortran: the last rank stops in the middle when it is told a status, while the others wait for it. With a second argument,
! the program looks at the error codes of MPI.
program plainProgram
    use mpi
    implicit none
    integer :: rank, size, total, status, error, length, ignored
    character(len=10) :: argument
    character(len=MPI_MAX_ERROR_STRING) :: text

    call MPI_Init(error)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
    call MPI_Comm_size(MPI_COMM_WORLD, size, error)
    call MPI_Allreduce(rank + 1, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, error)
    call get_command_argument(1, argument)
    if (argument /= " " .and. rank == size - 1) then
        read (argument, *) status
        call exit(status)
    end if
    if (command_argument_count() == 2) call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN, error)
    call MPI_Bcast(total, 1, MPI_INTEGER, size - 1, MPI_COMM_WORLD, error)
    if (error /= MPI_SUCCESS) then
        call MPI_Error_string(error, text, length, ignored)
        print '(A)', text(1:length)
        stop
    end if
    if (rank == 0) print '(I0)', total
    call MPI_Finalize(error)
end program plainProgram
