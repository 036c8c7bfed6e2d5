import { KymoError } from '../../core/errors';
import { defaultDynamicsOptions, type DynamicsOptions } from '../../core/degradations/model/options';
import type { ByteSource } from '../../formats/byteSource';
import type { DynamicsRequest } from './dynamics.types';

/** The inputs and settings of an earlier report. */
export interface StoredReport {
  readonly request: DynamicsRequest;
  /** Hashes of the inputs, by file. */
  readonly sha256: ReadonlyMap<string, string>;
  readonly toolVersion: string;
}

const largestReport = 1 << 29;
type Fields = Readonly<Record<string, unknown>>;

/** Whether a file that begins with `{` is a report; the first line of series files differs. */
export function isReport(bytes: ByteSource): boolean {
  const beginning = Buffer.from(bytes.read(0, 4096)).toString('utf8').trimStart();
  return beginning.startsWith('{') && !/^[^\n]*"kymoSeries"/.test(beginning);
}

/**
 * The request that produced a report of `kymo dynamics --json`.
 * @throws KymoError `report-invalid`
 */
export function readReport(bytes: ByteSource, file: string): StoredReport {
  const fail = (what: string): KymoError =>
    new KymoError(
      'report-invalid',
      `${file} is neither a series file nor a report of “kymo dynamics --json”: ${what}. Give a file that is one of them.`,
      { file },
    );
  if (bytes.size > largestReport) throw fail(`it has more than ${largestReport} bytes`);
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(bytes.read(0, bytes.size)).toString('utf8'));
  } catch (error) {
    throw fail(error instanceof Error ? error.message : String(error));
  }
  const log = field(value, 'log');
  const settings = field(log, 'settings');
  const inputs = field(log, 'inputs');
  if (!Array.isArray(inputs) || inputs.length === 0) throw fail('it does not name the analysed files');
  const files = inputs.map((input: unknown) => ({
    file: field(input, 'file'),
    sha256: field(input, 'sha256'),
  }));
  const named = files.filter(
    (input): input is { file: string; sha256: string } =>
      typeof input.file === 'string' && typeof input.sha256 === 'string',
  );
  if (named.length !== files.length) throw fail('its inputs have no names');
  const options = storedOptions(field(settings, 'options'));
  if (options === undefined) throw fail('its settings are not understood');
  const phase = field(settings, 'phase');
  const rules = field(field(settings, 'rules'), 'file');
  const version = field(field(log, 'tool'), 'version');
  return {
    request: {
      inputs: named.map((input) => input.file),
      callPaths: field(settings, 'callPaths') === true,
      inclusive: field(settings, 'inclusive') === true,
      ...(typeof phase === 'string' ? { phase } : {}),
      ...(typeof rules === 'string' ? { rules } : {}),
      options,
    },
    sha256: new Map(named.map((input) => [input.file, input.sha256])),
    toolVersion: typeof version === 'string' ? version : '?',
  };
}

function field(value: unknown, name: string): unknown {
  return isFields(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The settings that this version knows; undefined if one has another type. */
function storedOptions(value: unknown): Partial<DynamicsOptions> | undefined {
  if (!sameShape(value, defaultDynamicsOptions)) return undefined;
  // Reports of earlier versions know one method only.
  return { method: 'periscope', ...pick(value, defaultDynamicsOptions) };
}

function sameShape(value: unknown, model: object): value is Fields {
  if (!isFields(value)) return false;
  return Object.entries(model).every(([name, expected]: [string, unknown]) => {
    const given = value[name];
    if (given === undefined) return true;
    return typeof expected === 'object' && expected !== null
      ? sameShape(given, expected)
      : typeof given === typeof expected && (typeof given !== 'number' || Number.isFinite(given));
  });
}

/** The settings that the model has. */
function pick<Model extends object>(value: Fields, model: Model): Partial<Model> {
  const fields = Object.entries(value).filter(([name]) => Object.hasOwn(model, name));
  return Object.fromEntries(fields) as Partial<Model>;
}
