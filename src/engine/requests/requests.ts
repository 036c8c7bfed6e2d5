import { baselineRequests } from './baselines';
import { comparisonRequests } from './comparison';
import { cubeRequests } from './cube';
import { diagnosisRequests } from './diagnosis';
import { dynamicsRequests } from './dynamics';
import { filterRequests } from './filters';
import { modelRequests } from './models';
import { profileRequests } from './profiles';
import type { Home, RequestTable, Way } from './request';
import { studyRequests } from './studies';
import { timelineRequests } from './timeline';
import { watchingRequests } from './watching';
import { workspaceRequests } from './workspace';

/** All requests of the engine. The client's types are derived from this table. */
export const requests = {
  ...workspaceRequests,
  ...studyRequests,
  ...profileRequests,
  ...cubeRequests,
  ...dynamicsRequests,
  ...modelRequests,
  ...comparisonRequests,
  ...baselineRequests,
  ...diagnosisRequests,
  ...filterRequests,
  ...timelineRequests,
  ...watchingRequests,
} satisfies RequestTable;

export type Requests = typeof requests;

/** Names of the requests of a way and a home. */
export type NameOf<Table, AWay extends Way, AHome extends Home> = {
  [Name in keyof Table]: Table[Name] extends { readonly way: AWay; readonly home: AHome } ? Name : never;
}[keyof Table] &
  string;

interface Handler<Options, Answer> {
  readonly answer: (options: Options, context: never) => Answer;
}

export type OptionsOf<Table, Name extends keyof Table> =
  Table[Name] extends Handler<infer Options, unknown> ? Options : never;

/** The result of a query or a job. */
export type ResultOf<Table, Name extends keyof Table> =
  Table[Name] extends Handler<never, Promise<infer Result>> ? Result : never;

/** One of the answers of a stream. */
export type PartOf<Table, Name extends keyof Table> =
  Table[Name] extends Handler<never, AsyncIterable<infer Part>> ? Part : never;
