import * as vscode from 'vscode';
import { present } from '../../../core/present';
import type { ProcessRanges } from '../../../core/views/ranks/processRanges';
import type { Property } from '../../../core/properties/property';
import { likeliestSource } from '../../../core/lines/sourcePaths';
import type { ProcessesInSource } from '../../../workflows/views/profileInSource';
import type { EngineClient } from '../../../engine/client';
import type { DocumentQuestions } from '../../../engine/questions';
import { FunctionIndex } from './functionIndex';
import type { ShownProfile } from './shown';
import { watchFile } from '../../base/watchFile';
import { sourcesHere } from '../settings/sourcePaths';

/** Limits of the search for sources in the workspace: names, and files. */
const mostNames = 200;
const mostCandidates = 5000;
/** Time that the profile stays in memory for further requests. */
const idleMilliseconds = 30_000;

/** A profile of any origin that lenses, hovers, heat and properties show instead of the last study. The engine reads it. */
export class OpenedProfile implements vscode.Disposable {
  private loaded: Promise<ShownProfile> | undefined;
  /** Sources whose path in the workspace differs from the recorded one. */
  private located: Readonly<Record<string, string>> = {};
  private readonly watcher: vscode.Disposable;
  private readonly questions: DocumentQuestions;

  constructor(
    engine: EngineClient,
    readonly file: vscode.Uri,
    /** The processes whose values are shown; undefined: all. */
    readonly processes: ProcessRanges | undefined,
    onChange: () => void,
  ) {
    this.questions = engine.document(idleMilliseconds);
    this.watcher = watchFile(file, onChange);
  }

  /** The next `load` reads it again. */
  forget(): void {
    this.loaded = undefined;
  }

  load(): Promise<ShownProfile> {
    this.loaded ??= this.read();
    return this.loaded;
  }

  async properties(): Promise<readonly Property[]> {
    await this.load();
    return (await this.questions.query('profileProperties', this.options())).properties;
  }

  private async read(): Promise<ShownProfile> {
    this.located = {};
    const first = await this.shown();
    this.located = first.missing.length === 0 ? {} : await findSources(first.missing);
    return Object.keys(this.located).length === 0 ? first : this.shown();
  }

  private async shown(): Promise<ShownProfile> {
    const functions = new FunctionIndex();
    let about = { title: '', missing: [] as readonly string[] };
    for await (const part of this.questions.stream('profileFunctions', this.options())) {
      if ('about' in part) ({ about } = part);
      else functions.add(part.functions);
    }
    const { title: label, missing } = about;
    return { kind: 'profile', label, file: this.file.fsPath, functions, missing };
  }

  private options(): ProcessesInSource {
    return {
      file: this.file.fsPath,
      ...sourcesHere(this.file),
      located: this.located,
      ...present({ processes: this.processes }),
    };
  }

  dispose(): void {
    this.watcher.dispose();
    this.questions.dispose();
  }
}

/** The most likely file of the workspace for a source that is not at its recorded path; undefined if none or several fit. */
export async function findSource(file: string): Promise<vscode.Uri | undefined> {
  const found = (await findSources([file]))[file];
  return found === undefined ? undefined : vscode.Uri.file(found);
}

/** For sources recorded on another machine, the most likely files of the workspace. */
export async function findSources(missing: readonly string[]): Promise<Readonly<Record<string, string>>> {
  const names = new Set(missing.map((file) => file.slice(file.lastIndexOf('/') + 1)));
  const plain = [...names].filter((name) => /^[\w.+@ -]+$/.test(name)).slice(0, mostNames);
  if (plain.length === 0) return {};
  // A glob list with one entry is not a list.
  const pattern = plain.length === 1 ? `**/${plain[0] ?? ''}` : `**/{${plain.join(',')}}`;
  const candidates = (await vscode.workspace.findFiles(pattern, undefined, mostCandidates)).map(
    ({ fsPath }) => fsPath,
  );
  return Object.fromEntries(
    missing.flatMap((file) => {
      const source = likeliestSource(file, candidates);
      return source === undefined ? [] : [[file, source]];
    }),
  );
}
