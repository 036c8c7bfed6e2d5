! An octree over the particles, as Barnes and Hut build it.
module tree
  use geometry, only: dp, octant
  implicit none
  private
  public :: octree, build_tree, summarise

  type :: octree
    integer :: nodes = 0
    integer, allocatable :: child(:, :)      !< 0: none; negative: the particle of that number
    real(dp), allocatable :: centre(:, :), size(:)
    real(dp), allocatable :: mass(:), middle(:, :)
  end type octree

contains

  subroutine build_tree(t, position)
    type(octree), intent(inout) :: t
    real(dp), intent(in) :: position(:, :)
    integer :: particle

    t%nodes = 0
    call new_node(t, [0.5_dp, 0.5_dp, 0.5_dp], 1.0_dp)
    do particle = 1, size(position, 2)
      call insert(t, position, particle)
    end do
  end subroutine build_tree

  subroutine insert(t, position, particle)
    type(octree), intent(inout) :: t
    real(dp), intent(in) :: position(:, :)
    integer, intent(in) :: particle
    integer :: node, part, there

    node = 1
    do
      part = octant(t%centre(:, node), position(:, particle))
      there = t%child(part, node)
      if (there == 0 .or. t%size(node) < 1.0e-6_dp) then
        t%child(part, node) = -particle
        return
      end if
      if (there < 0) then
        call new_node(t, part_centre(t%centre(:, node), t%size(node), part), t%size(node) / 2)
        t%child(part, node) = t%nodes
        t%child(octant(t%centre(:, t%nodes), position(:, -there)), t%nodes) = there
      end if
      node = t%child(part, node)
    end do
  end subroutine insert

  subroutine new_node(t, centre, width)
    type(octree), intent(inout) :: t
    real(dp), intent(in) :: centre(3), width

    if (t%nodes == size(t%size)) error stop 'treecode: the particles are too close together'
    t%nodes = t%nodes + 1
    t%child(:, t%nodes) = 0
    t%centre(:, t%nodes) = centre
    t%size(t%nodes) = width
  end subroutine new_node

  pure function part_centre(centre, size, part)
    real(dp), intent(in) :: centre(3), size
    integer, intent(in) :: part
    real(dp) :: part_centre(3)

    part_centre = centre + size / 4 * (2 * ibits([part - 1, (part - 1) / 2, (part - 1) / 4], 0, 1) - 1)
  end function part_centre

  !> Masses and their middles, from the leaves up: children have larger numbers.
  subroutine summarise(t, position)
    type(octree), intent(inout) :: t
    real(dp), intent(in) :: position(:, :)
    integer :: node, part, there

    do node = t%nodes, 1, -1
      t%mass(node) = 0
      t%middle(:, node) = 0
      do part = 1, 8
        there = t%child(part, node)
        if (there < 0) then
          t%mass(node) = t%mass(node) + 1
          t%middle(:, node) = t%middle(:, node) + position(:, -there)
        else if (there > 0) then
          t%mass(node) = t%mass(node) + t%mass(there)
          t%middle(:, node) = t%middle(:, node) + t%mass(there) * t%middle(:, there)
        end if
      end do
      t%middle(:, node) = t%middle(:, node) / max(1.0_dp, t%mass(node))
    end do
  end subroutine summarise

end module tree
