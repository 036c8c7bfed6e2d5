import * as vscode from 'vscode';
import type { PlacedFile } from '../../state/places/placedFunctions';
import type { Kymo } from '../../state/kymo';
import type { RelatedPlace } from '../../state/findings/propertySource';

/** Maximum number of related places of a diagnostic. */
const maximumCallers = 20;
const nameCharacters = 200;

/** Current places of the callers of a document's functions, in any file. Each file is read once. */
export class CallerPlaces {
  private readonly files = new Map<string, Promise<{ uri: vscode.Uri; placed: PlacedFile | undefined }>>();

  constructor(private readonly kymo: Pick<Kymo, 'studies' | 'placed'>) {}

  /** Places of the callers, without those that have no place or were deleted since the run. */
  async of(callers: readonly RelatedPlace[]): Promise<vscode.DiagnosticRelatedInformation[]> {
    const places = callers.slice(0, maximumCallers).map((caller) => this.placeOf(caller));
    return (await Promise.all(places)).filter((place) => place !== undefined);
  }

  private async placeOf({
    what,
    file,
    line,
  }: RelatedPlace): Promise<vscode.DiagnosticRelatedInformation | undefined> {
    if (file === undefined || line === undefined) return undefined;
    const { uri, placed } = await this.fileOf(file);
    const group = placed?.groups.find(({ measuredLine }) => measuredLine === line);
    // In a followed file, a missing group means that the function was deleted. Files outside the workspace are not followed.
    if (placed !== undefined && group === undefined) return undefined;
    const position = new vscode.Position((group?.line ?? line) - 1, 0);
    const place = new vscode.Location(uri, position);
    return new vscode.DiagnosticRelatedInformation(place, what.slice(0, nameCharacters));
  }

  private fileOf(file: string): Promise<{ uri: vscode.Uri; placed: PlacedFile | undefined }> {
    const cached = this.files.get(file);
    if (cached !== undefined) return cached;
    const answer = this.look(vscode.Uri.file(file));
    this.files.set(file, answer);
    return answer;
  }

  private async look(file: vscode.Uri): Promise<{ uri: vscode.Uri; placed: PlacedFile | undefined }> {
    const uri = await this.kymo.studies.today(file);
    const placed = await this.kymo.placed.ofFile(uri).catch(() => undefined);
    return { uri, placed: placed?.file };
  }
}
