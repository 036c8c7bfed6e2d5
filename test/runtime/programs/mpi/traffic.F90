! The same exchange through each of the three Fortran interfaces: INTERFACE_mpif, INTERFACE_mpi or INTERFACE_f08.
program traffic
#ifdef INTERFACE_mpi
  use mpi
#endif
#ifdef INTERFACE_f08
  use mpi_f08
#endif
  implicit none
#ifdef INTERFACE_mpif
  include 'mpif.h'
#endif
#ifdef INTERFACE_f08
  type(MPI_Request) :: requests(2)
  type(MPI_Status) :: status
#else
  integer :: requests(2), status(MPI_STATUS_SIZE)
#endif
  integer :: rank, size, next, before, i, error, flag_count
  integer :: outgoing(100), incoming(100)
  double precision :: own, total
  logical :: flag

  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call MPI_Comm_size(MPI_COMM_WORLD, size, error)
  next = mod(rank + 1, size)
  before = mod(rank + size - 1, size)
  outgoing = rank
  flag_count = 0
  do i = 1, 5
    call MPI_Irecv(incoming, 100, MPI_INTEGER, before, i, MPI_COMM_WORLD, requests(1), error)
    call MPI_Isend(outgoing, 10 * i, MPI_INTEGER, next, i, MPI_COMM_WORLD, requests(2), error)
    call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, error)
  end do
  call MPI_Sendrecv(outgoing, 7, MPI_INTEGER, next, 9, incoming, 100, MPI_INTEGER, before, 9, MPI_COMM_WORLD, status, error)
  call MPI_Irecv(incoming, 100, MPI_INTEGER, before, 11, MPI_COMM_WORLD, requests(1), error)
  call MPI_Send(outgoing, 3, MPI_INTEGER, next, 11, MPI_COMM_WORLD, error)
  flag = .false.
  do while (.not. flag)
    call MPI_Test(requests(1), flag, MPI_STATUS_IGNORE, error)
    flag_count = flag_count + 1
  end do
  own = rank
  do i = 1, 3
    call MPI_Allreduce(own, total, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, error)
  end do
  call MPI_Bcast(outgoing, 25, MPI_INTEGER, 0, MPI_COMM_WORLD, error)
  call MPI_Barrier(MPI_COMM_WORLD, error)
  call MPI_Finalize(error)
  call truth('MPI_Init', 1, 0, 0)
  call truth('MPI_Irecv', 6, 0, 0)
  call truth('MPI_Isend', 5, 4 * 10 * 15, 0)
  call truth('MPI_Waitall', 5, 0, 4 * 10 * 15)
  call truth('MPI_Sendrecv', 1, 28, 28)
  call truth('MPI_Send', 1, 12, 0)
  call truth('MPI_Test', flag_count, 0, 12)
  call truth('MPI_Allreduce', 3, 3 * 8 * size, 3 * 8 * size)
  call truth('MPI_Bcast', 1, merge(100 * size, 0, rank == 0), 100)
  call truth('MPI_Barrier', 1, 0, 0)
  call truth('MPI_Finalize', 1, 0, 0)
contains
  subroutine truth(name, visits, sent, received)
    character(*), intent(in) :: name
    integer, intent(in) :: visits, sent, received
    write (*, '(a,i0,1x,a,3(1x,i0),a)') '= ', rank, name, visits, sent, received, ' 0 0'
  end subroutine
end program
