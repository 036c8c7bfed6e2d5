! The density of the particles on a periodic grid, spread over the cells near by.
module field
  use geometry, only: dp, weight, wrapped
  implicit none
  private
  public :: deposit, smooth

contains

  subroutine deposit(position, density)
    real(dp), intent(in) :: position(:, :)
    real(dp), intent(out) :: density(:, :, :)
    integer :: i, at(3), cells

    cells = size(density, 1)
    density = 0
    do i = 1, size(position, 2)
      at = int(position(:, i) * cells) + 1
      at = [wrapped(at(1), cells), wrapped(at(2), cells), wrapped(at(3), cells)]
      density(at(1), at(2), at(3)) = density(at(1), at(2), at(3)) + 1
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
