! Time steps of the wave on all ranks.
module march
  use mpi
  use inflow, only: incoming
  use wave, only: dp, field, step
  implicit none
  private
  public :: advance, late_seconds

  ! Processor time in which rank 0 was late.
  real(dp), protected :: late_seconds = 0.0_dp

contains

  ! Rank 0 alone computes the wave that comes in, and it does so before it sends.
  subroutine advance(f, time, rank, ranks)
    type(field), intent(inout) :: f
    integer, intent(in) :: time, rank, ranks
    real(dp) :: begin, end
    call cpu_time(begin)
    if (rank == 0) call incoming(time, f%now(1:f%height, 0))
    call cpu_time(end)
    late_seconds = late_seconds + (end - begin)
    call exchange(f, rank, ranks)
    call step(f)
  end subroutine advance

  ! First to the right, then to the left: a rank receives from the one before it what that one sends after its own work.
  subroutine exchange(f, rank, ranks)
    type(field), intent(inout) :: f
    integer, intent(in) :: rank, ranks
    integer :: left, right, error
    left = merge(rank - 1, MPI_PROC_NULL, rank > 0)
    right = merge(rank + 1, MPI_PROC_NULL, rank + 1 < ranks)
    call mpi_send(f%now(1, f%width), f%height, MPI_DOUBLE_PRECISION, right, 1, MPI_COMM_WORLD, error)
    call mpi_recv(f%now(1, 0), f%height, MPI_DOUBLE_PRECISION, left, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
    call mpi_send(f%now(1, 1), f%height, MPI_DOUBLE_PRECISION, left, 2, MPI_COMM_WORLD, error)
    call mpi_recv(f%now(1, f%width + 1), f%height, MPI_DOUBLE_PRECISION, right, 2, MPI_COMM_WORLD, &
      MPI_STATUS_IGNORE, error)
  end subroutine exchange

end module march
