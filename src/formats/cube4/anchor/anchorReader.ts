import { present } from '../../../core/present';
import { emptyModel, type AnchorModel, type Described, type PlacedKind } from './anchorModel';
import { ModelError, parseXml, type Frame, type XmlHandler } from './anchorXml';
import type { Parameter } from '../../../core/profile/profile';
import { DefinitionBudget, type CubeLimits } from '../archive/limits';

/** The largest id that writers use (32 bit). */
const largestId = 2 ** 32 - 2;

/**
 * Reads the elements of anchor.xml (already uncompressed) and ignores unknown ones. Throws `KymoError`: `cube-damaged`,
 * and `cube-too-large` for definitions that would take more memory than `limits` allows.
 */
export function readAnchor(
  bytes: Uint8Array,
  file: string,
  offset: number,
  limits: Pick<CubeLimits, 'definitionBytes'>,
): AnchorModel {
  const reader = new AnchorReader(new DefinitionBudget(file, limits, bytes.length));
  parseXml(bytes, file, offset, reader);
  return reader.model;
}

class AnchorReader implements XmlHandler {
  readonly model = emptyModel();

  /** For each element, the function that adds it to the model. It returns the position of the object, or -1 for an element that is part of another one. */
  private readonly openers: ReadonlyMap<string, (frame: Frame, above: Frame | undefined) => number> = new Map(
    [
      ['metric', this.openMetric.bind(this)],
      ['region', this.openRegion.bind(this)],
      ['cnode', this.openCnode.bind(this)],
      ['systemtreenode', this.openSystemNode.bind(this)],
      ['locationgroup', this.openSystemNode.bind(this)],
      ['location', this.openLocation.bind(this)],
      // Cube 4 before 4.2 has these in place of the general elements.
      ['machine', this.openSystemNode.bind(this)],
      ['node', this.openSystemNode.bind(this)],
      ['process', this.openSystemNode.bind(this)],
      ['thread', this.openLocation.bind(this)],
      ['cart', this.openTopology.bind(this)],
      ['dim', this.dimension.bind(this)],
      ['attr', this.attribute.bind(this)],
      ['parameter', this.parameter.bind(this)],
    ],
  );

  constructor(private readonly budget: DefinitionBudget) {}

  open(frame: Frame, above: Frame | undefined): void {
    if (above === undefined && frame.tag !== 'cube')
      throw new ModelError(`the element “cube” was expected, not “${frame.tag.slice(0, 40)}”`);
    const opener = this.openers.get(frame.tag);
    if (opener !== undefined) frame.index = opener(frame, above);
  }

  close(frame: Frame, above: Frame | undefined): void {
    if (frame.index >= 0 || above === undefined) return;
    if (frame.tag === 'coord') this.coordinates(frame, above);
    if (frame.tag === 'murl') this.mirror(frame);
    this.field(frame, above);
  }

  private openMetric(frame: Frame, above: Frame | undefined): number {
    this.budget.count('metric');
    const type = frame.attribute('type') ?? 'EXCLUSIVE';
    return (
      this.model.metrics.push({
        id: idOf(frame, 'id'),
        type: type.trim().toUpperCase(),
        ghost: frame.attribute('viztype') === 'GHOST',
        parent: above?.tag === 'metric' ? above.index : -1,
      }) - 1
    );
  }

  private openRegion(frame: Frame): number {
    this.budget.count('region');
    return (
      this.model.regions.push({
        id: idOf(frame, 'id'),
        file: frame.attribute('mod') ?? '',
        begin: frame.attribute('begin') ?? '-1',
        end: frame.attribute('end') ?? '-1',
      }) - 1
    );
  }

  private openCnode(frame: Frame, above: Frame | undefined): number {
    this.budget.count('callPath');
    const mod = frame.attribute('mod');
    const file = mod === '' ? undefined : mod;
    const line = frame.attribute('line');
    const { cnodes } = this.model;
    cnodes.calleeId.push(idOf(frame, 'calleeId'));
    cnodes.parent.push(above?.tag === 'cnode' ? above.index : -1);
    const index = cnodes.id.push(idOf(frame, 'id')) - 1;
    const lineNumber = line !== undefined && /^\d{1,9}$/.test(line.trim()) ? Number(line) : undefined;
    if (file !== undefined || lineNumber !== undefined) {
      this.budget.count('callSite');
      cnodes.callSites.set(index, present({ file, line: lineNumber }));
    }
    return index;
  }

  private openSystemNode(frame: Frame, above: Frame | undefined): number {
    this.budget.count('systemNode');
    const holdsLocations = frame.tag === 'locationgroup' || frame.tag === 'process';
    const general = frame.tag === 'systemtreenode' || frame.tag === 'locationgroup';
    return (
      this.model.system.push({
        id: wholeNumber((frame.attribute('Id') ?? frame.attribute('id') ?? '').trim()),
        defaultKind: general ? (holdsLocations ? 'process' : '') : frame.tag,
        holdsLocations,
        parent: above !== undefined && above.index >= 0 ? above.index : -1,
      }) - 1
    );
  }

  private openLocation(frame: Frame, above: Frame | undefined): number {
    if (above === undefined || this.model.system[above.index]?.holdsLocations !== true)
      throw new ModelError('a location was found outside of a location group');
    this.budget.count('location');
    return (
      this.model.locations.push({
        id: idOf(frame, frame.attribute('Id') === undefined ? 'id' : 'Id'),
        process: above.index,
      }) - 1
    );
  }

  private openTopology(frame: Frame): number {
    this.budget.count('topology');
    const name = frame.attribute('name');
    return this.model.topologies.push({ name, dimensions: [], coordinates: {} }) - 1;
  }

  private dimension(frame: Frame, above: Frame | undefined): number {
    const name = frame.attribute('name');
    const size = wholeNumber(frame.attribute('size')?.trim() ?? '');
    if (above?.tag !== 'cart' || size > largestId) return -1;
    this.budget.count('dimension');
    this.model.topologies[above.index]?.dimensions.push({
      ...present({ name }),
      size,
      periodic: frame.attribute('periodic')?.trim() === 'true',
    });
    return -1;
  }

  private coordinates(frame: Frame, above: Frame): void {
    const topology = above.tag === 'cart' ? this.model.topologies[above.index] : undefined;
    const [attribute, kind] = placed.find(([name]) => frame.attribute(name) !== undefined) ?? [];
    if (topology === undefined || attribute === undefined || kind === undefined) return;
    const id = wholeNumber(frame.attribute(attribute)?.trim() ?? '');
    if (id > largestId) return;
    this.budget.count('coordinates');
    (topology.coordinates[kind] ??= new Map()).set(id, frame.text);
  }

  private attribute(frame: Frame, above: Frame | undefined): number {
    const map = above === undefined ? undefined : this.attributesOf(above);
    if (map === undefined) return -1;
    this.budget.count('attribute');
    map.set(frame.attribute('key') ?? '', frame.attribute('value') ?? '');
    return -1;
  }

  private parameter(frame: Frame, above: Frame | undefined): number {
    if (above?.tag !== 'cnode') return -1;
    this.budget.count('parameter');
    const parameter: Parameter = {
      kind: frame.attribute('partype') === 'numeric' ? 'numeric' : 'string',
      name: frame.attribute('parkey') ?? '',
      value: frame.attribute('parvalue') ?? '',
    };
    const { parameters } = this.model.cnodes;
    const list = parameters.get(above.index);
    if (list === undefined) parameters.set(above.index, [parameter]);
    else list.push(parameter);
    return -1;
  }

  private mirror(frame: Frame): void {
    this.budget.count('mirror');
    this.model.mirrors.push(frame.text.trim());
  }

  /** Stores the text of a leaf if its parent is an object of the model. */
  private field(frame: Frame, above: Frame): void {
    const described = this.describedBy(above);
    if (described === undefined) return;
    this.budget.count('text');
    (described.fields ??= new Map()).set(frame.tag, frame.text);
  }

  private attributesOf(above: Frame): Map<string, string> | undefined {
    if (above.tag === 'cube') return this.model.attributes;
    const described = this.describedBy(above);
    return described === undefined ? undefined : (described.attributes ??= new Map());
  }

  private describedBy({ tag, index }: Frame): Described | undefined {
    if (tag === 'metric') return this.model.metrics[index];
    if (tag === 'region') return this.model.regions[index];
    return tag === 'location' || tag === 'thread' ? this.model.locations[index] : this.systemNode(tag, index);
  }

  private systemNode(tag: string, index: number): Described | undefined {
    return systemTags.has(tag) ? this.model.system[index] : undefined;
  }
}

/** Attributes of coordinates. Cube 4 before 4.2 calls locations threads and their groups processes. */
const placed: readonly (readonly [attribute: string, kind: PlacedKind])[] = [
  ['locId', 'location'],
  ['thrdId', 'location'],
  ['lgId', 'group'],
  ['procId', 'group'],
  ['stnId', 'node'],
];

const systemTags = new Set(['systemtreenode', 'locationgroup', 'machine', 'node', 'process']);

function idOf(frame: Frame, attribute: string): number {
  const text = frame.attribute(attribute);
  const id = wholeNumber(text?.trim() ?? '');
  if (id > largestId)
    throw new ModelError(
      `“${frame.tag}” needs ids from 0 to ${largestId}, found ${text === undefined ? 'none' : `“${text.slice(0, 40)}”`}`,
    );
  return id;
}

/** The number that at most ten decimal digits denote; Infinity for any other text. */
function wholeNumber(text: string): number {
  if (text.length === 0 || text.length > 10) return Infinity;
  let number = 0;
  for (let i = 0; i < text.length; i++) {
    const digit = text.charCodeAt(i) - 48;
    if (!(digit >= 0 && digit <= 9)) return Infinity;
    number = number * 10 + digit;
  }
  return number;
}
