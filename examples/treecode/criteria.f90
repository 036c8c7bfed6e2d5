! The two questions of the walk over the tree, each asked for every pair of a particle and a node.
module criteria
  use geometry, only: dp, distance2
  implicit none
  private
  public :: far_enough, pull

contains

  !> Whether a node may stand for everything in it.
  pure logical function far_enough(size, d2)
    real(dp), intent(in) :: size, d2

    far_enough = size * size < 2.25_dp * d2
  end function far_enough

  !> What a mass adds to the force.
  pure subroutine pull(force, here, there, mass)
    real(dp), intent(inout) :: force(3)
    real(dp), intent(in) :: here(3), there(3), mass
    real(dp) :: d2

    d2 = distance2(here, there) + 1.0e-4_dp
    force = force + mass * (there - here) / (d2 * sqrt(d2))
  end subroutine pull

end module criteria
