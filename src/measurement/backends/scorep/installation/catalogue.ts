import type { ScorepCatalogue } from '../../../../core/scorepOptions/option';
import { scorepAdvice } from './catalogue/advice';
import { buildOptions } from './catalogue/buildOptions';
import { filterOptions } from './catalogue/filterOptions';
import { metricOptions } from './catalogue/metricOptions';
import { runOptions } from './catalogue/runOptions';

/**
 * Score-P's options and their costs. Numbers are CPU time, measured with Score-P 8.4 and its GCC plug-in on x86-64 (medians of
 * interleaved runs); `bench/scorep/run.mjs` prints those that are per visit. Programs: LULESH (-s 30), MILC su3_rmd (8⁴), one of tiny functions.
 */
export const scorepCatalogue: ScorepCatalogue = {
  options: [...buildOptions, ...filterOptions, ...runOptions, ...metricOptions],
  advice: scorepAdvice,
};
