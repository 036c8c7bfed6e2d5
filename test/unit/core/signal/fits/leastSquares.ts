/** Least squares the slow, obvious way: what fits with prefix sums and closed forms have to agree with. */

/** Coefficients of the columns that explain the values best, and the squares that are left; undefined where the columns depend on each other. */
export function regression(
  columns: readonly (readonly number[])[],
  values: readonly number[],
): { readonly coefficients: readonly number[]; readonly left: number } | undefined {
  const rows = columns.map((column) => [...columns.map((other) => dot(column, other)), dot(column, values)]);
  const size = columns.length;
  for (let pivot = 0; pivot < size; pivot++) {
    const best = rows.slice(pivot).reduce((a, b) => (Math.abs(b[pivot]!) > Math.abs(a[pivot]!) ? b : a));
    const place = rows.indexOf(best);
    [rows[pivot], rows[place]] = [best, rows[pivot]!];
    if (Math.abs(best[pivot]!) < 1e-9) return undefined;
    for (const row of rows) {
      if (row === best) continue;
      const factor = row[pivot]! / best[pivot]!;
      for (let column = pivot; column <= size; column++) row[column]! -= factor * best[column]!;
    }
  }
  const coefficients = rows.map((row, n) => row[size]! / row[n]!);
  const left = values.reduce((sum, value, n) => {
    const fitted = columns.reduce((part, column, k) => part + column[n]! * coefficients[k]!, 0);
    return sum + (value - fitted) ** 2;
  }, 0);
  return { coefficients, left };
}

export function squaresAboutMean(values: readonly number[]): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
}

function dot(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, value, n) => sum + value * b[n]!, 0);
}
