! A wave runs through a channel: a stencil over columns that the ranks share out. Only rank 0 computes the wave that comes in, and it does so
! before it sends its border to its neighbour: it is a late sender, and the others wait in MPI_Recv.
!
!     mpirun -n 2 ./channel [rows] [columns] [steps]
program channel
  use mpi
  use march, only: advance, late_seconds
  use wave, only: dp, field, create, energy
  implicit none
  integer :: rank, ranks, error, rows, columns, steps, time
  type(field) :: f

  call mpi_init(error)
  call mpi_comm_rank(MPI_COMM_WORLD, rank, error)
  call mpi_comm_size(MPI_COMM_WORLD, ranks, error)
  rows = option(1, 400)
  columns = option(2, 2500)
  steps = option(3, 1000)
  if (rows < 2 .or. columns < ranks .or. steps < 1) then
    if (rank == 0) print '(a)', 'usage: channel [rows, 2 or more] [columns, one or more for each rank] [steps]'
    call mpi_abort(MPI_COMM_WORLD, 2, error)
  end if
  call create(f, rows, columns * (rank + 1) / ranks - columns * rank / ranks)
  do time = 1, steps
    call advance(f, time, rank, ranks)
  end do
  call report()
  call mpi_finalize(error)

contains

  ! The energy does not depend on the number of ranks.
  subroutine report()
    real(dp) :: own, all
    own = energy(f)
    call mpi_reduce(own, all, 1, MPI_DOUBLE_PRECISION, MPI_SUM, 0, MPI_COMM_WORLD, error)
    if (rank /= 0) return
    print '(a, es16.9)', 'energy ', all
    print '(a, i0, a, f0.3, a)', 'late sender: rank 0 computed ', steps, ' times before it sent, in ', late_seconds, &
      ' s of processor time'
  end subroutine report

  integer function option(number, usual) result(value)
    integer, intent(in) :: number, usual
    character(len=32) :: text
    integer :: status
    value = usual
    if (command_argument_count() < number) return
    call get_command_argument(number, text)
    read (text, *, iostat=status) value
    if (status /= 0) value = 0
  end function option

end program channel
