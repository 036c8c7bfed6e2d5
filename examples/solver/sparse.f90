! The five-point Laplacian on an n x n grid, without storing it, and the vector operations that a solver needs.
module sparse
  implicit none
  integer, parameter :: dp = kind(1.0d0)
contains

  subroutine apply_laplacian(n, x, y)
    integer, intent(in) :: n
    real(dp), intent(in) :: x(0:n+1, 0:n+1)
    real(dp), intent(inout) :: y(0:n+1, 0:n+1)
    integer :: i, j
    do j = 1, n
      do i = 1, n
        y(i, j) = 4.0_dp * x(i, j) - x(i-1, j) - x(i+1, j) - x(i, j-1) - x(i, j+1)
      end do
    end do
  end subroutine apply_laplacian

  real(dp) function inner_product(n, x, y)
    integer, intent(in) :: n
    real(dp), intent(in) :: x(0:n+1, 0:n+1), y(0:n+1, 0:n+1)
    integer :: j
    inner_product = 0.0_dp
    do j = 1, n
      inner_product = inner_product + column_product(n, x(1:n, j), y(1:n, j))
    end do
  contains
    ! An internal procedure: called n times for each inner product.
    real(dp) function column_product(m, a, b)
      integer, intent(in) :: m
      real(dp), intent(in) :: a(m), b(m)
      integer :: i
      column_product = 0.0_dp
      do i = 1, m
        column_product = column_product + a(i) * b(i)
      end do
    end function column_product
  end function inner_product

  subroutine add_scaled(n, alpha, x, y)
    integer, intent(in) :: n
    real(dp), intent(in) :: alpha, x(0:n+1, 0:n+1)
    real(dp), intent(inout) :: y(0:n+1, 0:n+1)
    y(1:n, 1:n) = y(1:n, 1:n) + alpha * x(1:n, 1:n)
  end subroutine add_scaled

  subroutine scale_and_add(n, beta, x, y)
    integer, intent(in) :: n
    real(dp), intent(in) :: beta, x(0:n+1, 0:n+1)
    real(dp), intent(inout) :: y(0:n+1, 0:n+1)
    y(1:n, 1:n) = x(1:n, 1:n) + beta * y(1:n, 1:n)
  end subroutine scale_and_add

end module sparse
