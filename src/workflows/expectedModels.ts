import { KymoError } from '../core/errors';
import { loadConfig } from '../measurement/config/loadConfig';
import { targetOfResults } from './targets/targetOfResults';
import { makeModels, type ModelsReport, type ModelsRequest } from './models';

/**
 * Models of studies with what `kymo.json` expects of the growth of functions. Where that cannot be read, the models are made without it, and a note
 * says so.
 * @throws KymoError the errors of `makeModels`
 */
export async function expectedModels(
  request: ModelsRequest,
  context: Parameters<typeof makeModels>[1],
): Promise<ModelsReport> {
  // Models of Extra-P have no probability that they grow faster.
  const targets =
    request.extrap === undefined ? request.paths.flatMap((one) => targetOfResults(one) ?? []) : [];
  const expect: Record<string, string> = {};
  const notes: string[] = [];
  for (const { workspace, target } of targets) {
    try {
      const { config } = await loadConfig(workspace);
      Object.assign(expect, config.targets.find(({ name }) => name === target)?.expect);
    } catch (error) {
      if (error instanceof KymoError && error.reason === 'config-missing') continue;
      notes.push(unread(error));
    }
  }
  if (Object.keys(expect).length === 0) return noted(await makeModels(request, context), notes);
  try {
    return noted(await makeModels({ ...request, expect }, context), notes);
  } catch (error) {
    if (!(error instanceof KymoError && error.reason === 'expectation-invalid')) throw error;
    return noted(await makeModels(request, context), [...notes, unread(error)]);
  }
}

function unread(error: unknown): string {
  return `Models are shown without the expectations of kymo.json: ${error instanceof Error ? error.message : String(error)}`;
}

function noted(report: ModelsReport, notes: readonly string[]): ModelsReport {
  return { ...report, notes: [...new Set([...report.notes, ...notes])] };
}
