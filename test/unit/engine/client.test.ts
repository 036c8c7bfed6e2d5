import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { EngineClient } from '../../../src/engine/client';
import type { EngineEvent } from '../../../src/engine/messages';

/** A process that speaks the engine's protocol, to see what the client does with each way to answer or to fail. */
const folder = mkdtempSync(path.join(tmpdir(), 'kymo-client-'));
const file = path.join(folder, 'engine.cjs');
writeFileSync(
  file,
  `process.on('message', ({ kind, id, options }) => {
     if (kind !== 'request') return;
     const say = (message) => process.send({ id, ...message });
     switch (options.workspace) {
       case 'answer': say({ kind: 'event', event: { kind: 'log', lines: ['one'] } }); return say({ kind: 'result', result: [process.pid] });
       case 'fail': return say({ kind: 'error', error: { reason: 'config-invalid', message: 'bad', where: { file: '/f', line: 3 }, diagnostics: [] } });
       case 'crash': throw new Error('out of paper');
       case 'hang':
         say({ kind: 'event', event: { kind: 'log', lines: [String(process.pid)] } });
         return setInterval(() => undefined, 1000);
     }
   });
   process.on('disconnect', () => process.exit());`,
);
const client = new EngineClient({ file, onOutput: () => undefined, isTrusted: () => true });
function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
afterAll(() => {
  client.dispose();
  rmSync(folder, { recursive: true, force: true });
});

it('gives the result and what came before it', async () => {
  const events: EngineEvent[] = [];
  const hooks = { onEvent: (event: EngineEvent) => void events.push(event) };
  expect(await client.query('studies', { workspace: 'answer' }, hooks)).toHaveLength(1);
  expect(events).toEqual([{ kind: 'log', lines: ['one'] }]);
});

it('queries share a process, a job has its own', async () => {
  const first: unknown = await client.query('studies', { workspace: 'answer' });
  const second: unknown = await client.query('studies', { workspace: 'answer' });
  const job: unknown = await client.job('studies', { workspace: 'answer' }, {});
  expect(second).toEqual(first);
  expect(job).not.toEqual(first);
});

it('questions beside the shared process have another one, until nobody asks any more', async () => {
  const [shared] = (await client.query('studies', { workspace: 'answer' })) as unknown as [number];
  const beside = client.queriesBeside(100);
  const [first] = (await beside.query('studies', { workspace: 'answer' })) as unknown as [number];
  const [second] = (await beside.query('studies', { workspace: 'answer' })) as unknown as [number];
  expect(first).not.toBe(shared);
  expect(second).toBe(first);
  await expect.poll(() => isAlive(first), { timeout: 20_000 }).toBe(false);
  const [third] = (await beside.query('studies', { workspace: 'answer' })) as unknown as [number];
  expect(third).not.toBe(first);
  beside.dispose();
  await expect.poll(() => isAlive(third), { timeout: 20_000 }).toBe(false);
});

it('throws the error of the engine with its reason and place', async () => {
  await expect(client.query('studies', { workspace: 'fail' })).rejects.toMatchObject({
    reason: 'config-invalid',
    message: 'bad',
    where: { file: '/f', line: 3 },
  });
});

it('says what a crashed engine said, and starts another for the next question', async () => {
  await expect(client.query('studies', { workspace: 'crash' })).rejects.toMatchObject({
    reason: 'engine-ended',
    message: expect.stringContaining('out of paper') as string,
  });
  expect(await client.query('studies', { workspace: 'answer' })).toHaveLength(1);
});

it('kills a job that does not stop when it is cancelled', async () => {
  const abort = new AbortController();
  let pid = 0;
  // It never answers and never ends: without the kill, neither the question nor its process would come to an end.
  const job = client.job(
    'studies',
    { workspace: 'hang' },
    {
      signal: abort.signal,
      onEvent: (event) => {
        if (event.kind !== 'log') return;
        pid = Number(event.lines[0]);
        abort.abort();
      },
    },
  );
  await expect(job).rejects.toMatchObject({ reason: 'cancelled' });
  await expect.poll(() => isRunning(pid), { timeout: 20_000 }).toBe(false);
}, 30_000);

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
