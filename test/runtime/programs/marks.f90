program marks
  implicit none
  integer :: i, k, x
  x = 0
  do i = 1, 10
    call kymo_phase_begin('time step')
    do k = 1, 3
      call kymo_region_begin('inner   ')
      x = x + 1
      call kymo_region_end('inner')
    end do
    call kymo_phase_end('time step')
  end do
  print '(i0)', x
end program
