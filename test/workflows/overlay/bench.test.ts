import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

it('N23: the bench prints instantiation, round trip, reductions per second and the front end’s time of a tree', async () => {
  const root = path.resolve(import.meta.dirname, '../../..');
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [path.join(root, 'bench/overlay/run.mjs'), '2x2'],
    { cwd: root },
  );
  const [load, head, row, ...rest] = stdout.trim().split('\n');
  expect(load).toMatch(/^load of the machine [\d.]+ on \d+ processors/);
  const columns = head?.split(' | ') ?? [];
  for (const what of ['start ms', 'round trip µs', 'reductions/s', 'front-end CPU µs'])
    expect(columns.some((column) => column.startsWith(what))).toBe(true);
  const cells = row?.split(' | ') ?? [];
  expect(cells.slice(0, 2)).toEqual(['2x2', '7']);
  expect(cells).toHaveLength(columns.length);
  for (const number of cells.slice(2).flatMap((cell) => cell.split(', ')))
    expect(Number(number)).toBeGreaterThan(0);
  expect(rest).toEqual([]);
});
