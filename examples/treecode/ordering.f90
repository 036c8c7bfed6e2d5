! The order of the particles along a curve that fills space, so that neighbours lie next to each other in memory.
module ordering
  use, intrinsic :: iso_fortran_env, only: int64
  use geometry, only: dp
  use keys, only: before, key_of
  implicit none
  private
  public :: sort_particles

contains

  !> By merging runs of twice the length each time.
  subroutine sort_particles(position, velocity)
    real(dp), intent(inout) :: position(:, :), velocity(:, :)
    integer(int64), allocatable :: key(:)
    integer, allocatable :: order(:), merged(:)
    integer :: n, i, width, left, right, end_left, end_right, at

    n = size(position, 2)
    allocate (key(n), order(n), merged(n))
    do i = 1, n
      order(i) = i
      key(i) = key_of(position(:, i))
    end do
    width = 1
    do while (width < n)
      do left = 1, n, 2 * width
        i = left
        end_left = min(left + width - 1, n)
        right = end_left + 1
        end_right = min(left + 2 * width - 1, n)
        do at = left, end_right
          if (i > end_left) then
            merged(at) = order(right)
            right = right + 1
          else if (right > end_right) then
            merged(at) = order(i)
            i = i + 1
          else if (before(key(order(right)), key(order(i)))) then
            merged(at) = order(right)
            right = right + 1
          else
            merged(at) = order(i)
            i = i + 1
          end if
        end do
      end do
      order = merged
      width = 2 * width
    end do
    position = position(:, order)
    velocity = velocity(:, order)
  end subroutine sort_particles

end module ordering
