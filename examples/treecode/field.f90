! The density of the particles on a periodic grid, spread over the cells near by.
module field
  use geometry, only: dp, weight, wrapped
  implicit none
  private
  public :: deposit, smooth

contains

  !> Each particle counts in the eight cells around it.
  subroutine deposit(position, density)
    real(dp), intent(in) :: position(:, :)
    real(dp), intent(out) :: density(:, :, :)
    integer :: i, at(3), cells, x, y, z
    real(dp) :: part(3), share(0:1, 3)

    cells = size(density, 1)
    density = 0
    do i = 1, size(position, 2)
      part = position(:, i) * cells
      at = int(part) + 1
      share(1, :) = part - int(part)
      share(0, :) = 1 - share(1, :)
      do z = 0, 1
        do y = 0, 1
          do x = 0, 1
            associate (cell => density(wrapped(at(1) + x, cells), wrapped(at(2) + y, cells), wrapped(at(3) + z, cells)))
              cell = cell + share(x, 1) * share(y, 2) * share(z, 3)
            end associate
          end do
        end do
      end do
    end do
  end subroutine deposit

  subroutine smooth(density, values)
    real(dp), intent(in) :: density(:, :, :)
    real(dp), intent(inout) :: values(:, :, :)
    integer :: cells, x, y, z, d
    real(dp) :: total

    cells = size(values, 1)
    do z = 1, cells
      do y = 1, cells
        do x = 1, cells
          total = density(x, y, z)
          do d = -1, 1, 2
            total = total + weight(d) * (density(wrapped(x + d, cells), y, z) &
                                         + density(x, wrapped(y + d, cells), z) + density(x, y, wrapped(z + d, cells)))
          end do
          values(x, y, z) = 0.5_dp * values(x, y, z) + total / 8
        end do
      end do
    end do
  end subroutine smooth

end module field
