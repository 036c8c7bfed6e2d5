import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openOtf2, type Otf2Archive } from '../../../../src/formats/otf2/open';
import { globalDefinitions } from '../../../../src/formats/otf2/layouts/definitions';
import { folderFiles } from '../../../../src/measurement/files/archiveFiles';
import { sharedData } from '../../../shared';
import { Printer } from './printed';

const fixtures = path.resolve(import.meta.dirname, '../../../fixtures/otf2');
/** Archives that the OTF2 library wrote, and what otf2-print prints of them (make.py). */
const printed = JSON.parse(readFileSync(path.join(fixtures, 'every.json'), 'utf8')) as {
  definitions: string[];
  events: string[];
};

function opened(anchor: string): Otf2Archive {
  return openOtf2(folderFiles(path.dirname(anchor)), path.basename(anchor));
}

/** Definitions by kind, each in the order of the file. */
function definitionsOf(archive: Otf2Archive): string[] {
  const printer = new Printer(archive.definitions);
  const names = globalDefinitions.flatMap((layout) => (layout === undefined ? [] : [layout.name]));
  return names.flatMap((name) =>
    archive.definitions.records(name).map((record) => printer.definition(record)),
  );
}

/** Events by location, which are in the order of their times; attributes stand behind their event. */
function byLocation(lines: readonly string[]): Record<string, string[]> {
  const result: Record<string, string[]> = {};
  let list: string[] = [];
  for (const line of lines) {
    if (!line.startsWith('ADDITIONAL')) list = result[line.split(' ')[1]!] ??= [];
    list.push(line);
  }
  return result;
}

function eventsOf(archive: Otf2Archive): Record<string, string[]> {
  const printer = new Printer(archive.definitions);
  const lines: string[] = [];
  for (const location of archive.definitions.locations)
    for (const chunk of archive.events(location))
      for (let index = 0; index < chunk.count; index++) lines.push(...printer.event(location, chunk, index));
  return byLocation(lines);
}

function mergedTimes(archive: Otf2Archive): string[] {
  const lines: string[] = [];
  archive.merged((_, chunk, index) =>
    lines.push(String(archive.definitions.clock.globalOffset + BigInt(chunk.time[index]!))),
  );
  return lines;
}

describe('records of every kind, written by the OTF2 library', () => {
  const archive = opened(path.join(fixtures, 'every/every.otf2'));

  it('has the definitions that otf2-print prints', () => {
    expect(definitionsOf(archive).sort()).toEqual([...printed.definitions].sort());
  });

  it('has the events that otf2-print prints', () => {
    expect(eventsOf(archive)).toEqual(byLocation(printed.events));
    expect(archive.notes()).toEqual([]);
  });

  it('merges the events of locations by their corrected times', () => {
    const times = printed.events.filter((line) => !line.startsWith('ADDITIONAL')).map((line) => line.split(' ')[2]);
    expect(mergedTimes(archive)).toEqual(times);
  });
});

/** What otf2-print prints; undefined where it is not installed. */
function otf2Print(...parameters: string[]): string[] | undefined {
  const { status, stdout } = spawnSync('otf2-print', parameters, { encoding: 'utf8', maxBuffer: 2 ** 28 });
  if (status !== 0) {
    process.stderr.write('skipped: otf2-print is not here\n');
    return undefined;
  }
  return stdout
    .split('\n')
    .filter((line) => /^([A-Z0-9_]+ | {2})/.test(line))
    .map((line) => line.replaceAll(/\s+/g, ' ').trim());
}

describe('a trace of Score-P', () => {
  const anchor = sharedData('scorep/lulesh-mpi-trace/lulesh.p8.s4.i20.trace/traces.otf2');

  it.skipIf(anchor === undefined)('has the definitions and events that otf2-print prints', () => {
    const definitions = otf2Print('-G', anchor!);
    const events = otf2Print(anchor!);
    if (definitions === undefined || events === undefined) return;
    const archive = opened(anchor!);
    expect(definitionsOf(archive).sort()).toEqual(definitions.sort());
    expect(eventsOf(archive)).toEqual(byLocation(events));
    expect(mergedTimes(archive)).toEqual(
      events.filter((line) => !line.startsWith('ADDITIONAL')).map((line) => line.split(' ')[2]),
    );
    expect(archive.notes()).toEqual([]);
  });
});
