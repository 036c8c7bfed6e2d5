// `generate.mjs job|files FOLDER RANKS CALL_PATHS`: writes the results of a job, in one file or in a file for each rank. A process of its own, whose memory counts for nobody.
import { closeSync, openSync, writeFileSync, writeSync } from 'node:fs';
import path from 'node:path';
import { counterNames, firstCounterSlot, waitingSlot } from '../../src/formats/kymo-result/slots';
import { jobFrame } from '../../test/unit/formats/kymo-result/jobBuilder';
import { buildResult, untimed, type TestNode } from '../../test/unit/formats/kymo-result/resultBuilder';

const names = Array.from({ length: 20 }, (_, i) => `MPI_Call_${i}`);
const quantities = [waitingSlot, ...['bytesSent', 'bytesReceived', 'lateSender', 'lateMember'].map(counter)];

function counter(name: string): number {
  return firstCounterSlot + counterNames.findIndex((known) => known === name);
}

/**
 * A rank with so many call paths, the root included. A fifth of them are MPI calls that wait, send and receive; of another fifth, visits are
 * sampled. Ranks differ in the order of their nodes and in the slots of MPI calls.
 */
function rankOf(variant: number, ranks: number, callPaths: number): Buffer {
  const children: number[][] = Array.from({ length: callPaths }, () => []);
  // Multiples of 5 and their successors are leaves.
  for (let i = 1; i < callPaths; i++) {
    const above = Math.floor(i / 4);
    children[above < 2 ? 0 : above - (above % 5 < 2 ? 2 : 0)]?.push(i);
  }
  const nodes: TestNode[] = [];
  const place = (callPath: number, parent: number): void => {
    const kind = callPath % 5;
    const name = (Math.floor(callPath / 5) + variant) % names.length;
    const slot = kind === 0 ? callPaths + name : callPath;
    const ticks = Math.floor(1e9 / (callPath + 1));
    const node = nodes.push({ parent, slot, visits: 100, ticks, events: 10 });
    if (kind === 0)
      for (const quantity of quantities)
        nodes.push({ parent: node, slot: quantity, visits: 10, ticks: 1000 });
    if (kind === 1) nodes.push({ parent, slot: untimed + slot, visits: 900, ticks: 0 });
    const below = children[callPath] ?? [];
    for (const child of variant % 2 === 0 ? below : below.toReversed()) place(child, node);
  };
  for (const child of children[0] ?? []) place(child, 0);
  return buildResult({
    ranks,
    cpuTime: 1e9,
    sampled: [1e-9, 1e-10, 2e-8, 1e-8],
    regions: names.map((_, i) => ({
      name: names[(i + names.length - variant) % names.length] ?? '',
      kind: 'mpi',
    })),
    threads: [{ ticks: 2e9, cpuTime: 1e9, nodes }],
  });
}

function generate(kind: string, folder: string, ranks: number, callPaths: number): void {
  const variants = Array.from({ length: 4 }, (_, variant) => rankOf(variant, ranks, callPaths));
  const ofRank = (rank: number): Buffer => {
    const result = variants[rank % variants.length] ?? Buffer.alloc(0);
    result.writeUInt32LE(rank, 24);
    result.writeUInt32LE(rank, 136);
    return result;
  };
  const all = Array.from({ length: ranks }, (_, rank) => rank);
  if (kind === 'files') {
    for (const rank of all) writeFileSync(path.join(folder, `node.${rank}.kymo`), ofRank(rank));
    return;
  }
  const { header, directory } = jobFrame(all.map((rank) => ({ result: ofRank(rank).length, iterations: 0 })));
  const file = openSync(path.join(folder, 'run.job'), 'w');
  try {
    writeSync(file, header);
    for (const rank of all) writeSync(file, ofRank(rank));
    writeSync(file, directory);
  } finally {
    closeSync(file);
  }
}

const [kind = '', folder = '', ranks = '', callPaths = ''] = process.argv.slice(2);
generate(kind, folder, Number(ranks), Number(callPaths));
