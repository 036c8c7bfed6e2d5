program poisson
  use sparse
  use conjugate
  implicit none
  integer :: n, most, used, status
  real(dp), allocatable :: b(:, :), x(:, :)
  real(dp) :: residual
  character(len=32) :: text

  n = 500
  most = 400
  if (command_argument_count() >= 1) then
    call get_command_argument(1, text)
    read (text, *, iostat=status) n
    if (status /= 0 .or. n < 2) stop 2
  end if
  if (command_argument_count() >= 2) then
    call get_command_argument(2, text)
    read (text, *, iostat=status) most
    if (status /= 0 .or. most < 1) stop 2
  end if
  allocate (b(0:n+1, 0:n+1), x(0:n+1, 0:n+1))
  x = 0.0_dp
  call right_hand_side(n, b)
  call solve(n, b, x, 1.0e-9_dp, most, used, residual)
  print '(a,i0,a,es10.3,a,es13.6)', 'steps ', used, ', residual ', residual, ', norm ', sqrt(inner_product(n, x, x))
  print '(a,i0)', 'levels ', levels(n)

contains

  subroutine right_hand_side(n, b)
    integer, intent(in) :: n
    real(dp), intent(out) :: b(0:n+1, 0:n+1)
    integer :: i, j
    b = 0.0_dp
    do j = 1, n
      do i = 1, n
        b(i, j) = sin(3.0_dp * i / n) * cos(5.0_dp * j / n)
      end do
    end do
  end subroutine right_hand_side

  ! How often the grid could be halved: a recursive function, so that recursion is seen.
  recursive integer function levels(n) result(count)
    integer, intent(in) :: n
    if (n < 2) then
      count = 0
    else
      count = 1 + levels(n / 2)
    end if
  end function levels

end program poisson
