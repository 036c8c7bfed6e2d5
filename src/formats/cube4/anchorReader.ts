import { emptyModel, type AnchorModel, type Fields } from './anchorModel';
import { ModelError, parseXml, type Frame, type XmlHandler } from './anchorXml';
import type { Parameter } from '../../core/profile/profile';

/** Largest id that any writer gives (32 bit). */
const largestId = 2 ** 32 - 2;

/** Reads the elements of anchor.xml (already uncompressed). Unknown elements are passed over. */
export function readAnchor(bytes: Uint8Array, file: string, offset: number): AnchorModel {
  const reader = new AnchorReader();
  parseXml(bytes, file, offset, reader);
  return reader.model;
}

class AnchorReader implements XmlHandler {
  readonly model = emptyModel();

  open(frame: Frame, above: Frame | undefined): void {
    if (above === undefined && frame.tag !== 'cube')
      throw new ModelError(`the element “cube” was expected, not “${frame.tag}”`);
    switch (frame.tag) {
      case 'metric':
        frame.index = this.openMetric(frame, above);
        break;
      case 'region':
        frame.index = this.openRegion(frame);
        break;
      case 'cnode':
        frame.index = this.openCnode(frame, above);
        break;
      // Cube 4 before 4.2 has machine, node, process and thread in place of the general elements.
      case 'systemtreenode':
      case 'machine':
      case 'node':
      case 'locationgroup':
      case 'process':
        frame.index = this.openSystemNode(frame, above);
        break;
      case 'location':
      case 'thread':
        frame.index = this.openLocation(frame, above);
        break;
      case 'attr':
        this.attribute(frame, above);
        break;
      case 'parameter':
        this.parameter(frame, above);
        break;
    }
  }

  close(frame: Frame, above: Frame | undefined): void {
    if (frame.index >= 0 || above === undefined) return;
    if (frame.tag === 'murl') this.model.mirrors.push(frame.text.trim());
    this.fieldsOf(above)?.set(frame.tag, frame.text);
  }

  private openMetric(frame: Frame, above: Frame | undefined): number {
    const type = frame.attribute('type') ?? 'EXCLUSIVE';
    return (
      this.model.metrics.push({
        id: idOf(frame, 'id'),
        type: type.trim().toUpperCase(),
        ghost: frame.attribute('viztype') === 'GHOST',
        parent: above?.tag === 'metric' ? above.index : -1,
        fields: new Map(),
        attributes: new Map(),
      }) - 1
    );
  }

  private openRegion(frame: Frame): number {
    return (
      this.model.regions.push({
        id: idOf(frame, 'id'),
        file: frame.attribute('mod') ?? '',
        begin: frame.attribute('begin') ?? '-1',
        end: frame.attribute('end') ?? '-1',
        fields: new Map(),
        attributes: new Map(),
      }) - 1
    );
  }

  private openCnode(frame: Frame, above: Frame | undefined): number {
    const mod = frame.attribute('mod');
    const line = frame.attribute('line');
    const { cnodes } = this.model;
    cnodes.calleeId.push(idOf(frame, 'calleeId'));
    cnodes.parent.push(above?.tag === 'cnode' ? above.index : -1);
    const index = cnodes.id.push(idOf(frame, 'id')) - 1;
    const lineNumber = line !== undefined && /^\d{1,9}$/.test(line.trim()) ? Number(line) : undefined;
    if ((mod !== undefined && mod !== '') || lineNumber !== undefined)
      cnodes.callSites.set(index, {
        ...(mod === undefined || mod === '' ? {} : { file: mod }),
        ...(lineNumber === undefined ? {} : { line: lineNumber }),
      });
    return index;
  }

  private openSystemNode(frame: Frame, above: Frame | undefined): number {
    const holdsLocations = frame.tag === 'locationgroup' || frame.tag === 'process';
    const general = frame.tag === 'systemtreenode' || frame.tag === 'locationgroup';
    return (
      this.model.system.push({
        defaultKind: general ? (holdsLocations ? 'process' : '') : frame.tag,
        holdsLocations,
        parent: above !== undefined && above.index >= 0 ? above.index : -1,
        fields: new Map(),
        attributes: new Map(),
      }) - 1
    );
  }

  private openLocation(frame: Frame, above: Frame | undefined): number {
    if (above === undefined || this.model.system[above.index]?.holdsLocations !== true)
      throw new ModelError('a location was found outside of a location group');
    return (
      this.model.locations.push({
        id: idOf(frame, frame.attribute('Id') === undefined ? 'id' : 'Id'),
        process: above.index,
        fields: new Map(),
      }) - 1
    );
  }

  private attribute(frame: Frame, above: Frame | undefined): void {
    const map = above === undefined ? undefined : this.attributesOf(above);
    map?.set(frame.attribute('key') ?? '', frame.attribute('value') ?? '');
  }

  private parameter(frame: Frame, above: Frame | undefined): void {
    if (above?.tag !== 'cnode') return;
    const parameter: Parameter = {
      kind: frame.attribute('partype') === 'numeric' ? 'numeric' : 'string',
      name: frame.attribute('parkey') ?? '',
      value: frame.attribute('parvalue') ?? '',
    };
    const { parameters } = this.model.cnodes;
    const list = parameters.get(above.index);
    if (list === undefined) parameters.set(above.index, [parameter]);
    else list.push(parameter);
  }

  private attributesOf(above: Frame): Map<string, string> | undefined {
    if (above.tag === 'cube') return this.model.attributes;
    if (above.tag === 'metric') return this.model.metrics[above.index]?.attributes;
    if (above.tag === 'region') return this.model.regions[above.index]?.attributes;
    return isSystemNode(above) ? this.model.system[above.index]?.attributes : undefined;
  }

  private fieldsOf(above: Frame): Fields | undefined {
    if (above.tag === 'metric') return this.model.metrics[above.index]?.fields;
    if (above.tag === 'region') return this.model.regions[above.index]?.fields;
    if (above.tag === 'location' || above.tag === 'thread') return this.model.locations[above.index]?.fields;
    return isSystemNode(above) ? this.model.system[above.index]?.fields : undefined;
  }
}

function isSystemNode(frame: Frame): boolean {
  return ['systemtreenode', 'locationgroup', 'machine', 'node', 'process'].includes(frame.tag);
}

function idOf(frame: Frame, attribute: string): number {
  const text = frame.attribute(attribute);
  const id = wholeNumber(text?.trim() ?? '');
  if (id > largestId)
    throw new ModelError(
      `“${frame.tag}” needs ids from 0 to ${largestId}, found ${text === undefined ? 'none' : `“${text.slice(0, 40)}”`}`,
    );
  return id;
}

/** Of at most ten decimal digits and nothing else; Infinity of any other text. */
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
