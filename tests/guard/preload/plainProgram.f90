! A program in Fortran: the last rank stops in the middle when it is told a status, while the others wait for it.
program plainProgram
    use mpi
    implicit none
    integer :: rank, size, total, status, error
    character(len=10) :: argument

    call MPI_Init(error)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
    call MPI_Comm_size(MPI_COMM_WORLD, size, error)
    call MPI_Allreduce(rank + 1, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, error)
    call get_command_argument(1, argument)
    if (argument /= " " .and. rank == size - 1) then
        read (argument, *) status
        call exit(status)
    end if
    call MPI_Bcast(total, 1, MPI_INTEGER, size - 1, MPI_COMM_WORLD, error)
    if (rank == 0) print '(I0)', total
    call MPI_Finalize(error)
end program plainProgram
