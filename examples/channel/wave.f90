! A wave on a membrane in the columns of one rank, with a border column on each side.
module wave
  implicit none
  private
  public :: dp, field, create, step, energy
  integer, parameter :: dp = kind(1.0d0)

  type :: field
    integer :: height = 0
    integer :: width = 0
    real(dp), allocatable :: before(:, :), now(:, :), next(:, :)
  end type field

  ! (speed * time step / cell size)**2
  real(dp), parameter :: courant = 0.25_dp

contains

  subroutine create(f, height, width)
    type(field), intent(out) :: f
    integer, intent(in) :: height, width
    f%height = height
    f%width = width
    allocate (f%before(0:height + 1, 0:width + 1), f%now(0:height + 1, 0:width + 1), f%next(0:height + 1, 0:width + 1))
    f%before = 0.0_dp
    f%now = 0.0_dp
    f%next = 0.0_dp
  end subroutine create

  ! One time step of all columns. The borders of `now` must be there.
  subroutine step(f)
    type(field), intent(inout) :: f
    integer :: column
    do column = 1, f%width
      call step_column(f%height, f%before(:, column), f%now(:, column - 1:column + 1), f%next(:, column))
    end do
    call swap(f)
  end subroutine step

  subroutine step_column(height, before, now, next)
    integer, intent(in) :: height
    real(dp), intent(in) :: before(0:height + 1), now(0:height + 1, -1:1)
    real(dp), intent(inout) :: next(0:height + 1)
    integer :: row
    do row = 1, height
      next(row) = 2.0_dp * now(row, 0) - before(row) + courant * (now(row - 1, 0) + now(row + 1, 0) &
        + now(row, -1) + now(row, 1) - 4.0_dp * now(row, 0))
    end do
  end subroutine step_column

  subroutine swap(f)
    type(field), intent(inout) :: f
    real(dp), allocatable :: oldest(:, :)
    call move_alloc(f%before, oldest)
    call move_alloc(f%now, f%before)
    call move_alloc(f%next, f%now)
    call move_alloc(oldest, f%next)
  end subroutine swap

  ! Of the motion in the columns of this rank.
  real(dp) function energy(f)
    type(field), intent(in) :: f
    integer :: column
    energy = 0.0_dp
    do column = 1, f%width
      energy = energy + 0.5_dp * sum((f%now(1:f%height, column) - f%before(1:f%height, column))**2)
    end do
  end function energy

end module wave
