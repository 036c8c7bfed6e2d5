! A step of the simulation: sort, build the tree, forces, the smoothed field, energy, move.
module simulation
  use geometry, only: dp
  use ordering, only: sort_particles
  use tree, only: build_tree, octree, summarise
  use walk, only: forces
  use field, only: deposit, smooth
  implicit none
  private
  public :: particles, start, step, energy

  type :: particles
    real(dp), allocatable :: position(:, :), velocity(:, :), force(:, :)
    type(octree) :: t
    real(dp), allocatable :: density(:, :, :), field(:, :, :)
  end type particles

contains

  subroutine start(p, count, cells)
    type(particles), intent(inout) :: p
    integer, intent(in) :: count, cells
    ! Multiples of these fill a cube evenly and without a pattern (Roberts' R3 sequence); the cube makes a cluster of it.
    real(dp), parameter :: spread(3) = [0.8191725133961645_dp, 0.6710436067037893_dp, 0.5497004779019703_dp]
    integer :: i

    allocate (p%position(3, count), p%velocity(3, count), p%force(3, count))
    allocate (p%density(cells, cells, cells), p%field(cells, cells, cells))
    allocate (p%t%child(8, 4 * count), p%t%centre(3, 4 * count), p%t%size(4 * count))
    allocate (p%t%mass(4 * count), p%t%middle(3, 4 * count))
    do i = 1, count
      p%position(:, i) = 0.5_dp + 4 * (modulo(i * spread, 1.0_dp) - 0.5_dp)**3
    end do
    p%velocity = 0
    p%force = 0
    p%field = 0
  end subroutine start

  subroutine step(p, time)
    type(particles), intent(inout) :: p
    real(dp), intent(in) :: time

    call sort_particles(p%position, p%velocity)
    call build_tree(p%t, p%position)
    call summarise(p%t, p%position)
    call forces(p%t, p%position, p%force)
    call deposit(p%position, p%density)
    call smooth(p%density, p%field)
    call move(p, time)
  end subroutine step

  subroutine move(p, time)
    type(particles), intent(inout) :: p
    real(dp), intent(in) :: time

    p%velocity = p%velocity + time * p%force / size(p%position, 2)
    p%position = modulo(p%position + time * p%velocity, 1.0_dp)
  end subroutine move

  real(dp) function energy(p)
    type(particles), intent(in) :: p

    energy = 0.5_dp * sum(p%velocity**2) + sum(p%field) / size(p%field)
  end function energy

end module simulation
