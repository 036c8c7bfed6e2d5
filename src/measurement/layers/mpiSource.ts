import { mpiCalls, type MpiCall } from './mpiCalls';
import type { MpiFunction } from './mpiHeader';

/** A header for all files of the layer: the variables of `mpi.h` are weak, so that programs without that MPI library start, such as `mpirun`. */
export function weakVariables(variables: readonly string[]): string {
  return variables.map((name) => `#pragma weak ${name}\n`).join('');
}

/** The C source of the layer's functions, and of the jumps to them (runtime/mpi/layer.h): each under its names MPI_ and PMPI_. */
export function mpiSource(functions: readonly MpiFunction[]): string {
  return [
    '#include "layer.h"',
    ...functions.flatMap((declared) => [
      `static struct kymo_call call_${declared.name} = {.name = "MPI_${declared.name}"};`,
      definition(declared, 0),
      definition(declared, 1),
    ]),
    'const struct kymo_jump kymo_mpi_jumps[] = {',
    ...functions.flatMap(({ name }) =>
      [`MPI_${name}`, `PMPI_${name}`].map((own) => `  {"${own}", &kymo_to_${own}},`),
    ),
    '  {0}};',
    '',
  ].join('\n');
}

function root({ root: position }: NonNullable<MpiCall['meets']>): string {
  return position === undefined ? '0' : `p${position}`;
}

function tracedBegin({ traced }: MpiCall): readonly string[] {
  if (traced === undefined) return [];
  const call = traced.started === true ? 'kymo_mpi_collective_moves(0, 0)' : 'kymo_mpi_collective_begins()';
  return [`  if (kymo_mpi_traces) ${call};`];
}

/** Behind the communicator, nonblocking operations have their request. */
function tracedEnd({ traced, comm }: MpiCall): readonly string[] {
  if (traced === undefined || comm === undefined) return [];
  const { operation, root: position, started } = traced;
  const what = `kymo_comm, ${operation}, ${position === undefined ? '-1' : `p${position}`}`;
  const call =
    started === true
      ? `kymo_mpi_track_collective(*p${comm + 1}, ${what})`
      : `kymo_mpi_collective_ends(${what})`;
  return [`  if (kymo_mpi_traces && result == MPI_SUCCESS) ${call};`];
}

function definition({ name, result, parameters }: MpiFunction, profiling: 0 | 1): string {
  const what = mpiCalls[name] ?? {};
  const { comm, before = '', after = '', always = false, meets } = what;
  const values = parameters.map((_, index) => `p${index + 1}`).join(', ');
  const types = parameters.length === 0 ? 'void' : parameters.join(', ');
  const place = (statements: string): string => statements.replace(/\$(\d+)/g, 'p$1');
  const isStatus = result === 'int';
  const own = `${profiling === 1 ? 'P' : ''}MPI_${name}`;
  return [
    `${result} kymo_of_${own}(${types}) {`,
    `  ${result} (*next)(${types}) = (${result} (*)(${types}))kymo_mpi_next(&call_${name}, ${profiling});`,
    '  uintptr_t frame = (uintptr_t)__builtin_frame_address(0);',
    ...(always
      ? [
          `  if (!kymo_mpi_begin(&call_${name}, frame)) {`,
          `    ${result} result = next(${values});`,
          `    if (result == MPI_SUCCESS) { ${place(after)} }`,
          '    return result;',
          '  }',
        ]
      : [`  if (!kymo_mpi_begin(&call_${name}, frame)) return next(${values});`]),
    ...(comm === undefined ? [] : [`  const struct kymo_comm *kymo_comm = kymo_mpi_comm(p${comm});`]),
    ...tracedBegin(what),
    ...(meets === undefined ? [] : [`  kymo_mpi_meets(kymo_comm, KYMO_${meets.kind}, ${root(meets)});`]),
    ...(before === '' ? [] : [`  ${place(before)}`]),
    `  ${result} result = next(${values});`,
    ...(after === '' || !isStatus ? [] : [`  if (result == MPI_SUCCESS) { ${place(after)} }`]),
    ...tracedEnd(what),
    `  kymo_mpi_end(&call_${name}, frame);`,
    '  return result;',
    '}',
    `KYMO_JUMP(${own});`,
  ].join('\n');
}
