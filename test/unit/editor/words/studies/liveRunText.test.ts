import { describe, expect, it } from 'vitest';
import { clusterText, nodeText, processText } from '../../../../../src/editor/words/studies/liveRunText';

describe('a run that is under way, in the editor', () => {
  const process = {
    pid: 42,
    host: 'node7',
    rank: 3,
    threads: 2,
    cpuSeconds: 12,
    iterations: 1250,
    isSuspended: false,
    isWatched: true,
  };

  it('names a process by its rank, and says what it is and has done', () => {
    expect(processText(process)).toEqual({
      label: 'Rank 3',
      description: '12 s of CPU time · 1250 iterations · node7',
      tooltip: 'Rank 3: process 42 on node7, 2 threads, 12 s of CPU time, 1250 iterations',
    });
  });

  it('says first what is wrong with it', () => {
    const suspended = { ...process, threads: 1, iterations: 0, isSuspended: true };
    expect(processText(suspended).description).toBe('suspended · 12 s of CPU time · node7');
    expect(processText(suspended).tooltip).toBe(
      'Rank 3: process 42 on node7, 1 thread, 12 s of CPU time, suspended',
    );
    expect(processText({ ...suspended, isWatched: false }).description).toMatch(/^no longer watched · /);
  });

  it('says of processes that do alike whose sum a row is', () => {
    const cluster = {
      ...{ ranks: '0-62', processes: 63, threads: 63, cpuSeconds: 12 },
      ...{ leastIterations: 9, mostIterations: 9, suspended: 2, ended: 0 },
    };
    expect(clusterText(cluster)).toEqual({
      label: 'Ranks 0-62: sum of 63 processes',
      description: '2 suspended · 63 threads · 12 s of CPU time · 9 iterations each',
      tooltip:
        'Ranks 0-62: sum of 63 processes, 63 threads, 12 s of CPU time, 9 iterations each, 2 suspended',
    });
  });

  it('says of a node of the network what it has to do, and what became of it', () => {
    const node = { rank: 2, parent: 0, role: 'agent', host: 'node7', state: 'up' } as const;
    const load = { pid: 9, cpu: 0.05, messagesPerSecond: 119.6, bytesPerSecond: 2048, memory: 1 << 25 };
    expect(nodeText({ ...node, ...load })).toEqual({
      label: 'Agent 2',
      description: 'node7 · 5.0 % of a CPU · 120 messages/s',
      tooltip:
        'agent 2: process 9 on node7, at work, 5.0 % of a CPU, 120 messages/s, 2 KiB/s, 32 MiB of memory',
    });
    expect(nodeText({ ...node, state: 'lost' })).toMatchObject({
      description: 'lost · node7',
      tooltip: 'agent 2: on node7, lost',
    });
    expect(nodeText({ ...node, state: 'awaited' }).description).toBe('has not reported yet · node7');
  });
});
