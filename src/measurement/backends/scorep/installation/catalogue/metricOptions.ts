import { variables } from './choices';

/** Variables of a run for metrics besides the time. */
export const metricOptions = variables('metrics', [
  {
    id: 'SCOREP_METRIC_PAPI',
    label: 'PAPI counters',
    help: 'Hardware counters by PAPI’s names, such as PAPI_TOT_INS,PAPI_L2_DCM (papi_avail lists them).',
    cost: {
      weight: 'high',
      text: 'The counters are read at each entry and exit, on top of 65–75 ns; how fast depends on PAPI and the kernel.',
    },
    input: { kind: 'text', placeholder: 'None', format: { kind: 'names' } },
    builtWith: 'PAPI',
  },
  {
    id: 'SCOREP_METRIC_PERF',
    label: 'Kernel counters (perf)',
    help: 'Counters by perf’s names, such as cycles,instructions,page-faults (perf list).',
    cost: { weight: 'high', text: 'System calls at each entry and exit read them, as for resource usage.' },
    input: { kind: 'text', placeholder: 'None', format: { kind: 'names' } },
    builtWith: 'perf events',
  },
  {
    id: 'SCOREP_METRIC_RUSAGE',
    label: 'Resource usage',
    help: 'Values of getrusage: memory, page faults, context switches; “all” for everything.',
    cost: {
      weight: 'high',
      text: 'System calls at each entry and exit: 610 ns per visit with one value, 710 ns with all, instead of 70.',
    },
    input: {
      kind: 'text',
      placeholder: 'None',
      format: {
        kind: 'names',
        known:
          'all ru_utime ru_stime ru_maxrss ru_ixrss ru_idrss ru_isrss ru_minflt ru_majflt ru_nswap ru_inblock ru_oublock ru_msgsnd ru_msgrcv ru_nsignals ru_nvcsw ru_nivcsw'.split(
            ' ',
          ),
      },
    },
    builtWith: 'getrusage',
  },
]);
