import { describe, expect, it } from 'vitest';
import { automaticGroups } from '../../../../src/core/functions/functionGroups';

const region = (name: string, file?: string, paradigm = 'unknown', role = 'function') => ({
  name,
  paradigm,
  role,
  ...(file === undefined ? {} : { file }),
});
const groupOf = (...of: Parameters<typeof region>): string => automaticGroups([region(...of)])[0] ?? '';

describe('F14 automatic function groups', () => {
  it.each([
    ['MPI_Allreduce', 'MPI'],
    ['PMPI_Send', 'MPI'],
    ['mpi_send_', 'MPI'],
    ['MPI::Comm::Send(void const*, int)', 'MPI'],
    ['omp_set_lock', 'OpenMP'],
    ['!$omp parallel @heat.c:12', 'OpenMP'],
    ['omp for @heat.c:12', 'OpenMP'],
    ['GOMP_parallel', 'OpenMP'],
    ['__kmpc_fork_call', 'OpenMP'],
    ['cudaMemcpy', 'CUDA/HIP'],
    ['cuLaunchKernel', 'CUDA/HIP'],
    ['hipMalloc', 'CUDA/HIP'],
    ['pthread_mutex_lock', 'Pthreads'],
    ['fopen', 'I/O'],
    ['fread', 'I/O'],
    ['read', 'I/O'],
    ['write', 'I/O'],
    ['pwrite64', 'I/O'],
    ['H5Dwrite', 'I/O'],
    ['malloc', 'Memory'],
    ['operator new(unsigned long)', 'Memory'],
    ['Grid::step(int)', 'Grid'],
    ['void ns::Grid<std::pair<int, double> >::step(int) const', 'ns::Grid'],
    ['ns::Grid::operator()(int)', 'ns::Grid'],
    ['std::vector<int, std::allocator<int> >::push_back(int&&)', 'std::vector'],
    ['ns::Grid::step(int)::{lambda(int)#1}::operator()(int) const', 'ns::Grid'],
    ['__grid_MOD_step', 'grid'],
    ['main', 'Other'],
    ['operator<<(std::ostream&, X const&)', 'Other'],
    ['currentTime', 'Other'],
    ['custom', 'Other'],
    ['openFile', 'Other'],
    ['hipster', 'Other'],
    ['reader', 'Other'],
  ])('%s is in %s', (name, group) => {
    expect(groupOf(name)).toBe(group);
  });

  it('is by paradigm and role where the profile has them', () => {
    expect(groupOf('parallel', undefined, 'openmp', 'parallel')).toBe('OpenMP');
    expect(groupOf('kernel<<<>>>', undefined, 'cuda')).toBe('CUDA/HIP');
    expect(groupOf('ReadAll', undefined, 'io', 'file io')).toBe('I/O');
    expect(groupOf('PARALLEL', '/src/a.c', 'measurement', 'artificial')).toBe('Other');
  });

  it('is the source file, or the library, of what has no class, with the folders that tell files apart', () => {
    const files = ['/p/src/util.c', '/p/lib/util.c', '/p/src/util.c', '/p/main.c', '/lib/libm.so.6'];
    expect(automaticGroups(files.map((file, at) => region(`f${at}`, file)))).toEqual([
      'src/util.c',
      'lib/util.c',
      'src/util.c',
      'main.c',
      'libm.so.6',
    ]);
  });

  it('of the program stays with it, whatever compilers and its own names make of it', () => {
    expect(groupOf('main._omp_fn.0', '/p/main.c', 'compiler')).toBe('main.c');
    expect(groupOf('read', '/p/mesh.c', 'compiler')).toBe('mesh.c');
    expect(groupOf('(anonymous namespace)::solve(int)', '/p/solve.cpp')).toBe('solve.cpp');
    expect(groupOf('main::{lambda()#1}::operator()() const', '/p/main.cpp')).toBe('main.cpp');
  });

  it('is a plain, short text for any name', () => {
    const names = [
      '__proto__',
      'constructor::f()',
      `${'x'.repeat(5000)}::f()`,
      '',
      '<'.repeat(3000),
      'a\nb::c',
    ];
    for (const group of automaticGroups(names.map((name) => region(name)))) {
      expect(group.length).toBeLessThanOrEqual(400);
      expect(group).toMatch(/^[^\n]+$/);
    }
    expect(groupOf('__proto__')).toBe('Other');
    expect(groupOf('constructor::f()')).toBe('constructor');
  });
});
