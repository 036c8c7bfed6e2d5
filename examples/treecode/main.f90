! Particles that attract one another, with a tree: treecode [particles] [steps] [cells]
program treecode
  use geometry, only: dp
  use simulation, only: energy, particles, start, step
  implicit none
  type(particles) :: p
  integer :: i

  call start(p, argument(1, 12000), argument(3, 56))
  do i = 1, argument(2, 40)
    call step(p, 1.0e-3_dp)
  end do
  print '(a, es14.6)', 'energy ', energy(p)

contains

  integer function argument(position, default)
    integer, intent(in) :: position, default
    character(len=32) :: text
    integer :: status

    call get_command_argument(position, text)
    read (text, *, iostat=status) argument
    if (status /= 0 .or. argument < 1) argument = default
  end function argument

end program treecode
