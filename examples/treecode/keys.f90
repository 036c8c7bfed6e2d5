! A point's place along a curve that fills space.
module keys
  use, intrinsic :: iso_fortran_env, only: int64
  use geometry, only: dp
  implicit none
  private
  public :: key_of, before

contains

  !> Bits of the three coordinates (0 to 1) in turns.
  pure integer(int64) function key_of(point)
    real(dp), intent(in) :: point(3)
    integer(int64) :: part(3)
    integer :: bit, axis

    part = int(max(0.0_dp, min(0.999999_dp, point)) * 2.0_dp**20, int64)
    key_of = 0
    do bit = 19, 0, -1
      do axis = 1, 3
        key_of = ior(ishft(key_of, 1), iand(ishft(part(axis), -bit), 1_int64))
      end do
    end do
  end function key_of

  pure logical function before(first, second)
    integer(int64), intent(in) :: first, second

    before = first < second
  end function before

end module keys
