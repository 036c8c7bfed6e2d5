/** The unit of metrics whose names say it, as Score-P, Kymo and Cube name them: `sec`, `bytes`, or empty. */
export function metricUnit(metric: string): string {
  if (/^((min|max|waiting)_)?time$|^mpi_wait_/.test(metric)) return 'sec';
  return metric.startsWith('bytes') ? 'bytes' : '';
}
