! Small questions about points and cubes, asked hundreds of millions of times: what measuring everything costs is paid here.
module geometry
  implicit none
  private
  public :: dp, distance2, octant, weight, wrapped
  integer, parameter :: dp = kind(1.0d0)

contains

  pure real(dp) function distance2(a, b)
    real(dp), intent(in) :: a(3), b(3)

    distance2 = (a(1) - b(1))**2 + (a(2) - b(2))**2 + (a(3) - b(3))**2
  end function distance2

  !> Which of the eight parts of a cube a point lies in, 1 to 8.
  pure integer function octant(centre, point)
    real(dp), intent(in) :: centre(3), point(3)

    octant = 1
    if (point(1) > centre(1)) octant = octant + 1
    if (point(2) > centre(2)) octant = octant + 2
    if (point(3) > centre(3)) octant = octant + 4
  end function octant

  !> What a neighbour counts in the smoothed field.
  pure real(dp) function weight(steps)
    integer, intent(in) :: steps

    weight = 1.0_dp / real(1 + steps * steps, dp)
  end function weight

  !> A cell's number in a periodic field.
  pure integer function wrapped(cell, cells)
    integer, intent(in) :: cell, cells

    wrapped = modulo(cell - 1, cells) + 1
  end function wrapped

end module geometry
