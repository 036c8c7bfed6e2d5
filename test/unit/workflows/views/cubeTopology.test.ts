import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { cubeTopology } from '../../../../src/workflows/views/cube/cubeTopology';
import { openCubeView } from '../../../../src/workflows/views/cube/cubeView';
import { writeCube } from '../../../../src/formats/cube4/write';
import { sharedData } from '../../../shared';
import { topologyProfile } from '../../../webview/cube/cubes';

const folder = mkdtempSync(path.join(tmpdir(), 'kymo-topology-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function opened(name: string, bytes: Uint8Array) {
  const file = path.join(folder, name);
  writeFileSync(file, bytes);
  return { file, ...(await openCubeView(file)) };
}

it('describes topologies, and has the places of locations and processes', async () => {
  const { file, id, topologies } = await opened('small.cubex', writeCube(topologyProfile()));
  expect(topologies.slice(0, 2)).toEqual([
    {
      name: 'Process x Thread',
      dimensions: [
        { name: 'Process', size: 4, periodic: false },
        { name: 'Thread', size: 2, periodic: false },
      ],
      placed: 8,
      outside: 0,
    },
    {
      name: 'MPI_COMM_CART',
      dimensions: [
        { name: 'x', size: 2, periodic: true },
        { name: 'dimension 1', size: 3, periodic: false },
        { name: 'z', size: 2, periodic: false },
      ],
      placed: 4,
      outside: 1,
    },
  ]);
  expect(topologies[3]).toMatchObject({ name: 'nothing', placed: 0, outside: 1 });
  const threads = await cubeTopology({ file, id, topology: 0, first: 6, count: 50 });
  // Locations follow the machine, two nodes and four processes.
  expect([...threads.nodes]).toEqual([13, 14]);
  expect([...threads.coordinates]).toEqual([3, 0, 3, 1]);
  const processes = await cubeTopology({ file, id, topology: 1, first: 0, count: 50 });
  // The file has each process below its node.
  expect([...processes.nodes]).toEqual([2, 3, 5, 6]);
  expect([...processes.coordinates]).toEqual([0, 0, 0, 1, 0, 1, 0, 1, 0, 1, 1, 1]);
  expect((await cubeTopology({ file, id, topology: 99, first: 0, count: 50 })).nodes).toHaveLength(0);
});

it.skipIf(sharedData('scorep') === undefined)('reads those of Score-P', async () => {
  const file = sharedData('scorep/lulesh-mpi/lulesh.p8.s5/profile.cubex') ?? '';
  const { id, topologies, systemNodes, locations } = await openCubeView(file);
  expect(topologies).toEqual([
    {
      name: 'Process x Thread',
      dimensions: [
        { name: 'Process', size: 8, periodic: false },
        { name: 'Thread', size: 1, periodic: false },
      ],
      placed: 8,
      outside: 0,
    },
  ]);
  const { nodes, coordinates } = await cubeTopology({ file, id, topology: 0, first: 0, count: 8 });
  expect([...nodes]).toEqual(Array.from({ length: 8 }, (_, at) => systemNodes - locations + at));
  expect([...coordinates]).toEqual([0, 1, 2, 3, 4, 5, 6, 7].flatMap((rank) => [rank, 0]));
});
