! Cases in Fortran: recursion, array results, optional and character arguments, internal procedures, OpenMP.
module work
  implicit none
  integer(8) :: counts(6) = 0
contains
  recursive function ackermann(m, n) result(r)
    integer, intent(in) :: m, n
    integer :: r
    counts(1) = counts(1) + 1
    if (m == 0) then
      r = n + 1
    else if (n == 0) then
      r = ackermann(m - 1, 1)
    else
      r = ackermann(m - 1, ackermann(m, n - 1))
    end if
  end function
  function doubled(a) result(b)
    real(8), intent(in) :: a(:)
    real(8) :: b(size(a))
    counts(2) = counts(2) + 1
    b = 2 * a
  end function
  subroutine named(name, i, extra)
    character(len=*), intent(in) :: name
    integer, intent(in) :: i
    integer, intent(in), optional :: extra
    counts(3) = counts(3) + 1
    if (present(extra)) then
      print '(a,i0,1x,i0)', name, i, extra
    else
      print '(a,i0)', name, i
    end if
  end subroutine
  subroutine outer(n)
    integer, intent(in) :: n
    integer :: i
    counts(4) = counts(4) + 1
    do i = 1, n
      call inner(i)
    end do
  contains
    subroutine inner(k)
      integer, intent(in) :: k
      counts(5) = counts(5) + 1
      if (k == n) call named('inner ', k, n)
    end subroutine
  end subroutine
end module
program solver
  use work
  implicit none
  real(8) :: x(10)
  integer :: i
  x = 1
  do i = 1, 20
    x = doubled(x) / 2
  end do
  print '(f8.3)', sum(x)
  print '(i0)', ackermann(2, 7)
  call named('plain ', 3)
  call outer(5)
  print '(a,i0)', '= ackermann ', counts(1)
  print '(a,i0)', '= doubled ', counts(2)
  print '(a,i0)', '= named ', counts(3)
  print '(a,i0)', '= outer ', counts(4)
  print '(a,i0)', '= inner ', counts(5)
  stop 9
end program
