program constructs
  use omp_lib
  implicit none
  integer :: i, total
  integer(omp_lock_kind) :: lock
  total = 0
  call omp_init_lock(lock)
!$omp parallel num_threads(2) reduction(+:total)
!$omp do schedule(dynamic)
  do i = 1, 10
    total = total + i
  end do
!$omp end do
!$omp critical
  total = total + 0
!$omp end critical
  call omp_set_lock(lock)
  call omp_unset_lock(lock)
!$omp barrier
!$omp single
  total = total + 1
!$omp end single nowait
!$omp end parallel
  print '(a,i0)', 'total ', total
  print '(a)', '= !$omp parallel'//char(9)//'8'//char(9)//'2'
  print '(a)', '= !$omp do'//char(9)//'9'//char(9)//'2'
  print '(a)', '= !$omp critical'//char(9)//'14'//char(9)//'2'
  print '(a)', '= omp_set_lock'//char(9)//'17'//char(9)//'2'
  print '(a)', '= !$omp barrier'//char(9)//'19'//char(9)//'2'
  print '(a)', '= !$omp single'//char(9)//'20'//char(9)//'2'
end program constructs
