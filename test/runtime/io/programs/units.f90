! Unformatted records and a stream, written and read.
program units
  implicit none
  character(len=4096) :: path
  call get_command_argument(1, path)
  call moves(trim(path))
  stop 3
contains
  subroutine moves(path)
    character(len=*), intent(in) :: path
    real(8) :: values(65536)
    values = 1
    open (10, file=path, access='stream', form='unformatted', status='replace')
    write (10) values
    close (10)
    open (10, file=path, access='stream', form='unformatted', status='old')
    read (10) values
    close (10, status='delete')
  end subroutine
end program
