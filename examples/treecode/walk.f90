! The forces: each particle walks over the tree.
module walk
  use geometry, only: dp, distance2
  use tree, only: octree
  use criteria, only: far_enough, pull
  implicit none
  private
  public :: forces

contains

  subroutine forces(t, position, force)
    type(octree), intent(in) :: t
    real(dp), intent(in) :: position(:, :)
    real(dp), intent(out) :: force(:, :)
    integer :: i

    do i = 1, size(position, 2)
      call force_on(t, position, i, force(:, i))
    end do
  end subroutine forces

  subroutine force_on(t, position, i, force)
    type(octree), intent(in) :: t
    real(dp), intent(in) :: position(:, :)
    integer, intent(in) :: i
    real(dp), intent(out) :: force(3)
    integer :: stack(512), depth, node, part, there

    force = 0
    depth = 1
    stack(1) = 1
    do while (depth > 0)
      node = stack(depth)
      depth = depth - 1
      if (far_enough(t%size(node), distance2(position(:, i), t%middle(:, node)))) then
        call pull(force, position(:, i), t%middle(:, node), t%mass(node))
        cycle
      end if
      do part = 1, 8
        there = t%child(part, node)
        if (there > 0) then
          depth = depth + 1
          stack(depth) = there
        else if (there < 0 .and. -there /= i) then
          call pull(force, position(:, i), position(:, -there), 1.0_dp)
        end if
      end do
    end do
  end subroutine force_on

end module walk
