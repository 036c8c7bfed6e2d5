module solver
contains
  subroutine Step(n)
    integer, intent(inout) :: n
    n = n + 1
  end subroutine
end module

subroutine fortran_part
  use solver
  integer :: n
  n = 1
  call Step(n)
end subroutine
