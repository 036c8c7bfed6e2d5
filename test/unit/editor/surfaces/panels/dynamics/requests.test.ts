import { describe, expect, it } from 'vitest';
import { fileName } from '../../../../../../src/editor/base/fileName';
import {
  dynamicsGuards,
  panelName,
  shownBefore,
} from '../../../../../../src/editor/surfaces/panels/dynamics/requests';

describe('requests of the dynamics panel', () => {
  it('are bounded: rows, cells, pictures, shares', () => {
    const piece = { id: 'a', first: 0, count: 5000 };
    expect(dynamicsGuards.properties(piece)).toEqual(piece);
    expect(dynamicsGuards.properties({ ...piece, count: 5001 })).toBeUndefined();
    expect(dynamicsGuards.properties({ ...piece, first: -1 })).toBeUndefined();
    expect(dynamicsGuards.map({ ...piece, map: 1.5 })).toBeUndefined();
    expect(dynamicsGuards.save({ kind: 'report-json', threshold: 1.5 })).toBeUndefined();
    expect(dynamicsGuards.save({ kind: 'report-json', threshold: 0.1, file: '/etc/passwd' })).toEqual({
      kind: 'report-json',
      threshold: 0.1,
    });
    expect(
      dynamicsGuards.save({ kind: 'png', name: 'x', content: new Uint8Array((32 << 20) + 1) }),
    ).toBeUndefined();
  });

  it('name files only by rows, and actions only from the list', () => {
    expect(dynamicsGuards.openSource({ id: 'a', of: 'property', row: 3 })).toBeDefined();
    expect(dynamicsGuards.openSource({ id: 'a', of: 'file', row: 3 })).toBeUndefined();
    expect(dynamicsGuards.act({ action: 'kymo.refine' })).toBeUndefined();
    expect(dynamicsGuards.analyse({ settings: { burst: 64, improvements: 'yes' } })).toBeUndefined();
  });
});

describe('a panel after a reload', () => {
  it('shows the same input', () => {
    for (const input of [
      { kind: 'folder', folder: '/w/.kymo/t' },
      { kind: 'files', files: ['/a.kseries.ndjson', '/b.kseries.ndjson'] },
    ] as const)
      expect(shownBefore({ panel: panelName(input) })).toEqual(input);
  });

  it('is not opened for what is no input', () => {
    for (const panel of [
      undefined,
      '',
      '{',
      'null',
      '{"kind":"folder"}',
      '{"kind":"folder","folder":"relative"}',
      '{"kind":"files","files":[]}',
      '{"kind":"files","files":["/a",1]}',
      '{"kind":"other","folder":"/w"}',
    ])
      expect(shownBefore({ panel })).toBeUndefined();
  });
});

describe('the name of a saved file', () => {
  it('is never a path', () => {
    expect(fileName('../../etc/passwd', 'dynamics')).toBe('etc-passwd');
    expect(fileName('trend of MPI_Wait, rank 4', 'dynamics')).toBe('trend of MPI_Wait- rank 4');
    expect(fileName('größe', 'dynamics')).toBe('größe');
    expect(fileName('/..', 'dynamics')).toBe('dynamics');
    expect(fileName('x'.repeat(500), 'dynamics')).toHaveLength(80);
  });
});
