import { readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readConfigSummary } from '../../../../../../src/measurement/backends/scorep/installation/configSummary';
import { instrumenterOptions } from '../../../../../../src/measurement/backends/scorep/installation/instrumenterOptions';

const recorded = path.resolve(import.meta.dirname, '../../../../../data/scorep');
const text = (name: string): string => readFileSync(path.join(recorded, name), 'utf8');
const summary = text('config-summary.txt');

describe('what a Score-P was built with', () => {
  it('is read from the summary of a real one', () => {
    expect(readConfigSummary(summary)).toEqual({
      known: true,
      compilerInstrumentation: true,
      gccPlugin: true,
      gccVersion: '12.2.0',
      llvmPlugin: false,
      mpi: 'openmpi',
      shmem: false,
      openmp: true,
      opari2: true,
      ompt: false,
      pthread: true,
      papi: false,
      perf: true,
      rusage: true,
      unwinding: true,
      cuda: false,
      hip: false,
      memory: true,
      io: true,
    });
  });

  it('is other for other builds', () => {
    const clang = summary
      .replaceAll('gcc_plugin', 'llvm_plugin')
      .replace(/ {4}Score-P \(GCC plug-in\)[^]*?\n\n/, '');
    expect(readConfigSummary(clang)).toMatchObject({ gccPlugin: false, llvmPlugin: true });
    const none = summary.replace('Compiler instrumentation: yes', 'Compiler instrumentation: no');
    expect(readConfigSummary(none).compilerInstrumentation).toBe(false);
    const papi = summary.replace(
      'PAPI support:             no',
      'PAPI support:             yes, using -lpapi',
    );
    expect(readConfigSummary(papi).papi).toBe(true);
    const serial = summary.replace(/ {4}Score-P \(MPI backend\)[^]*?\n\n/, '');
    expect(readConfigSummary(serial).mpi).toBeUndefined();
  });

  it('is unknown without a summary', () => {
    expect(readConfigSummary('')).toMatchObject({ known: false, gccPlugin: false, papi: false });
  });

  it('is read from any text without an error', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...summary.split('\n'), '   :', '::: x')), (lines) => {
        expect(typeof readConfigSummary(lines.join('\n')).known).toBe('boolean');
      }),
    );
  });
});

describe('what an instrumenter accepts', () => {
  it('is what its help says', () => {
    const options = instrumenterOptions(text('scorep-help.txt'));
    expect(options.names).toContain('--instrument-filter');
    expect(options.names).toContain('--nokokkos');
    expect(options.names).toContain('--verbose');
    expect(options.names).not.toContain('--nosuch');
    expect(options.threads).toEqual(['none', 'omp:opari2', 'pthread']);
    expect(options.mpps).toEqual(['none', 'mpi']);
  });

  it('is that of Score-P 8 where it says nothing', () => {
    const options = instrumenterOptions('');
    expect(options.names).toContain('--user');
    expect(options.threads).toEqual([]);
  });
});
