! Conjugate gradients for the Laplacian of module sparse.
module conjugate
  use sparse
  implicit none
contains

  subroutine solve(n, b, x, tolerance, most, used, residual)
    integer, intent(in) :: n, most
    real(dp), intent(in) :: b(0:n+1, 0:n+1), tolerance
    real(dp), intent(inout) :: x(0:n+1, 0:n+1)
    integer, intent(out) :: used
    real(dp), intent(out) :: residual
    real(dp), allocatable :: r(:, :), p(:, :), q(:, :)
    real(dp) :: rho, rho_before, alpha

    allocate (r(0:n+1, 0:n+1), p(0:n+1, 0:n+1), q(0:n+1, 0:n+1))
    p = 0.0_dp
    q = 0.0_dp
    r = 0.0_dp
    call apply_laplacian(n, x, q)
    r(1:n, 1:n) = b(1:n, 1:n) - q(1:n, 1:n)
    p = r
    rho = inner_product(n, r, r)
    do used = 1, most
      call step()
      if (sqrt(rho) < tolerance) exit
    end do
    residual = sqrt(rho)
  contains
    subroutine step()
      call apply_laplacian(n, p, q)
      alpha = rho / inner_product(n, p, q)
      call add_scaled(n, alpha, p, x)
      call add_scaled(n, -alpha, q, r)
      rho_before = rho
      rho = inner_product(n, r, r)
      call scale_and_add(n, rho / rho_before, r, p)
    end subroutine step
  end subroutine solve

end module conjugate
