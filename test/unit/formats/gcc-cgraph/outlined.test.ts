import { describe, expect, it } from 'vitest';
import { parseGccCgraph } from '../../../../src/formats/gcc-cgraph/parse';

/** As gcc 12 wrote it for `void sweep(…) { #pragma omp parallel for … sweep_row(…) }`, shortened. */
const dump = `
Initial Symbol table:

sweep._omp_fn.0/30 (sweep._omp_fn.0) @0x7f6f5a8b5550
  Type: function definition analyzed
  Visibility: semantic_interposition artificial
  Address is taken.
  References: 
  Referring: sweep/16 (addr) 
  Function flags: body parallelized_function
  Called by: 
  Calls: sweep_row/15 omp_get_thread_num/32 omp_get_num_threads/31 
omp_get_thread_num/32 (omp_get_thread_num) @0x7f6f5a8b5660
  Type: function
  Visibility: semantic_interposition external public
  Called by: sweep._omp_fn.0/30 
  Calls: 
GOMP_parallel/33 (GOMP_parallel) @0x7f6f5a8b5770
  Type: function
  Visibility: semantic_interposition external public
  Called by: sweep/16 
  Calls: 
sweep/16 (sweep) @0x7f6f5a88c770
  Type: function definition analyzed
  Visibility: semantic_interposition
  References: sweep._omp_fn.0/30 (addr) 
  Referring: 
  Function flags: body
  Called by: 
  Calls: GOMP_parallel/33 
sweep_row/15 (sweep_row) @0x7f6f5a88c660
  Type: function definition analyzed
  Visibility: semantic_interposition
  References: 
  Referring: 
  Function flags: body
  Called by: sweep._omp_fn.0/30 
  Calls: 
`;

describe('OpenMP regions in the compiler graph', () => {
  it('belong to the function that they stand in', () => {
    const { functions } = parseGccCgraph(dump);
    expect(functions.map((f) => f.mangledName)).not.toContain('sweep._omp_fn.0');
    const sweep = functions.find((f) => f.mangledName === 'sweep');
    expect(sweep?.callees).toEqual(expect.arrayContaining(['GOMP_parallel', 'sweep_row']));
    expect(sweep?.references).toEqual([]);
  });
});

/** As gcc 12 wrote it for `Gen numbers(int n) { … co_yield i; … helper() … }`, shortened. */
const coroutineDump = `
Initial Symbol table:

_Z7numbersPZ7numbersiE17_Z7numbersi.Frame.destroy/163 (void numbers(numbers(int)::_Z7numbersi.Frame*)) @0x7f62bdc16990
  Type: function definition analyzed
  Visibility: artificial
  References: 
  Calls: _Z7numbersPZ7numbersiE17_Z7numbersi.Frame.actor/162 
_Z7numbersPZ7numbersiE17_Z7numbersi.Frame.actor/162 (void numbers(numbers(int)::_Z7numbersi.Frame*)) @0x7f62bdc16880
  Type: function definition analyzed
  Visibility: artificial
  References: 
  Calls: _Z6helperv/15 
_Z7numbersi/161 (Gen numbers(int)) @0x7f62bdc16770
  Type: function definition analyzed
  Visibility: public
  References: 
  Calls: _Z7numbersPZ7numbersiE17_Z7numbersi.Frame.actor/162 
_Z6helperv/15 (double helper()) @0x7f6f5a88c660
  Type: function definition analyzed
  Visibility: public
  References: 
  Calls: 
`;

it('gives what a coroutine does after it was started back to the coroutine', () => {
  const { functions } = parseGccCgraph(coroutineDump);
  expect(functions.map(({ mangledName, callees }) => [mangledName, callees])).toEqual([
    ['_Z6helperv', []],
    ['_Z7numbersi', ['_Z6helperv']],
  ]);
});
