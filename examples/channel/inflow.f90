! The wave that comes in at the left edge: a sum of many harmonics, for each row and step.
module inflow
  use wave, only: dp
  implicit none
  private
  public :: incoming

contains

  subroutine incoming(time, column)
    integer, intent(in) :: time
    real(dp), intent(out) :: column(:)
    integer :: row
    do row = 1, size(column)
      column(row) = height_at(time, real(row, dp) / size(column))
    end do
  end subroutine incoming

  real(dp) function height_at(time, place)
    integer, intent(in) :: time
    real(dp), intent(in) :: place
    integer, parameter :: harmonics = 80
    real(dp), parameter :: pi = acos(-1.0_dp)
    integer :: n
    height_at = 0.0_dp
    do n = 1, harmonics
      height_at = height_at + sin(n * pi * place) * sin(0.01_dp * n * time) / n**2
    end do
  end function height_at

end module inflow
