import path from 'node:path';
import type { Config } from './config';
import { ObjectReader, readNumber, typeName } from './configReader';
import { ConfigSource, type ConfigProblem } from './configSource';
import { parseTarget } from './parseTarget';

/** The only version of `kymo.json` (docs/INTERFACES.md). */
const currentVersion = 1;

/**
 * Reads the text of a `kymo.json`.
 * @param file its path, for messages and as the place of the workspace
 * @throws KymoError `config-invalid`, with line and column
 */
export function parseConfig(
  text: string,
  file: string,
): { readonly config: Config; readonly warnings: readonly ConfigProblem[] } {
  const absolute = path.resolve(file);
  const workspace = path.dirname(absolute);
  const source = new ConfigSource(text, file);
  const top = new ObjectReader(source, source.root(), 'kymo.json', ['$schema', 'version', 'targets']);
  checkVersion(top);
  const targetNode = top.required('targets');
  const nodes = top.list('targets', 'targets');
  if (nodes.length === 0) source.fail(targetNode, '"targets" must name at least one target.');
  const seen = new Set<string>();
  const targets = nodes.map((node) => {
    const reader = new ObjectReader(source, node, 'a target', targetKeys);
    const target = parseTarget(reader, workspace);
    // Some file systems ignore case in names of folders.
    const folder = target.name.toLowerCase();
    if (seen.has(folder))
      source.fail(
        reader.required('name'),
        `two targets are named ${JSON.stringify(target.name)}; give each a name of its own (upper and lower case count as the same).`,
      );
    seen.add(folder);
    return target;
  });
  return { config: { file: absolute, workspace, targets }, warnings: source.warnings };
}

const targetKeys = [
  'name',
  'build',
  'sources',
  'executable',
  'run',
  'parameters',
  'repetitions',
  'pthreads',
  'io',
  'counters',
  'trace',
  'phase',
  'refinement',
  'study',
  'expect',
  'gate',
  'backend',
  'scorep',
];

function checkVersion(top: ObjectReader): void {
  const node = top.required('version');
  const version = readNumber(node);
  if (version === currentVersion) return;
  const isNewer = version !== undefined && Number.isInteger(version) && version > currentVersion;
  top.source.fail(
    node,
    isNewer
      ? `"version" ${String(version)} needs a newer Kymo; this one reads version ${currentVersion}. Update Kymo.`
      : `"version" must be the number ${currentVersion}, found ${typeName(node)}.`,
  );
}
