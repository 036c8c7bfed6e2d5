import type { StartUpCost } from '../../../../src/overlay/services/startUp/simulateStartUp';

/**
 * Messages cost what MRNet 5.0.1 needs on two cores (11 to 26 µs of the front end for each child and collective: a send and a receive); sizes
 * and times of reports are those of a program with 434 functions, as smg2000 has in the source.
 */
export const startUpCost: StartUpCost = {
  perMessage: 10e-6,
  perByte: 1e-9,
  latency: 50e-6,
  bytes: {
    'report-self': 128,
    'report-metrics': 8192,
    'clock-skew': 0,
    'parse-executable': 0,
    'report-process': 512,
    'report-machine': 256,
    'report-code': 434 * 64,
    'report-call-graph': 1500 * 16,
    'report-done': 16,
  },
  useSeconds: {
    'report-self': 10e-6,
    'report-metrics': 1e-3,
    'clock-skew': 0,
    'parse-executable': 0,
    'report-process': 10e-6,
    'report-machine': 20e-6,
    'report-code': 434 * 5e-6,
    'report-call-graph': 1500 * 2e-6,
    'report-done': 0,
  },
  parseSeconds: 0.2,
  skewRounds: 100,
  classes: 1,
};
