import fc from 'fast-check';
import { expect, test } from 'vitest';
import { lastLines } from '../../../../src/measurement/launch/runs/lastLines';

const edge = '-'.repeat(74);
/** As Open MPI 4.1 prints it when LULESH is given a number of processes that is no cube. */
const openMpi = [
  'See help (-h) for more options',
  '',
  'Num processors must be a cube of an integer (1, 8, 27, ...)',
  edge,
  'MPI_ABORT was invoked on rank 0 in communicator MPI_COMM_WORLD',
  'with errorcode -1.',
  '',
  'NOTE: invoking MPI_ABORT causes Open MPI to kill all MPI processes.',
  edge,
  '[vm:12025] 1 more process has sent help message help-mpi-api.txt / mpi-abort',
  '[vm:12025] Set MCA parameter "orte_base_help_aggregate" to 0 to see all help / error messages',
].join('\n');

test('the reason is shown, and not what mpirun says about its end', () => {
  expect(lastLines(openMpi)).toBe(
    ' It printed last:\n  See help (-h) for more options\n  Num processors must be a cube of an integer (1, 8, 27, ...)',
  );
});

test('what a launcher says is shown where the program said nothing', () => {
  const said = openMpi.slice(openMpi.indexOf(edge));
  expect(lastLines(said)).toMatch(/It printed last:\n[^]*Set MCA parameter/);
  expect(lastLines(' \n')).toBe(' It printed nothing.');
});

test('boxes and open edges of the program itself stay', () => {
  expect(lastLines(`${edge}\nresidual is not a number\n${edge}`)).toContain('residual is not a number');
  expect(lastLines(`${edge}\nmpirun\n`)).toContain('mpirun');
});

test('at most six lines, each of the text, for any text', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('a', edge, 'mpirun', '', '[h:1] Set MCA parameter')), (lines) => {
      const [, ...shown] = lastLines(lines.join('\n')).split('\n');
      expect(shown.length).toBeLessThanOrEqual(6);
      for (const line of shown) expect(lines).toContain(line.slice(2));
    }),
  );
});
