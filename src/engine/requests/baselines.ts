import { saveBaseline } from '../../workflows/gate';
import { baselineFiles, judgeBaseline, type GatedFiles } from '../../workflows/views/baselineView';
import { job, query } from './request';

/** Committed baselines, and what is judged by them. */
export const baselineRequests = {
  baselineFiles: query(baselineFiles),
  judgeBaseline: job(judgeBaseline),
  /** Writes a measurement as a baseline file, as `kymo gate --save`. */
  saveBaseline: job(
    ({ baseline, ...options }: GatedFiles, context) => saveBaseline(baseline, { ...options, ...context }),
    { writes: true },
  ),
};
