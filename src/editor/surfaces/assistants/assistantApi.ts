import type * as vscode from 'vscode';
import { isRecord } from '../../../core/present';

/** `vscode.McpStdioServerDefinition` */
export type ServerDefinition = new (
  label: string,
  command: string,
  words: string[],
  environment: Record<string, string>,
  version: string,
) => object;

/** What VS Code has since 1.101; Kymo runs in earlier ones, too, whose types it uses. */
export interface AssistantApi {
  readonly lm: {
    registerMcpServerDefinitionProvider(
      id: string,
      provider: {
        readonly onDidChangeMcpServerDefinitions: vscode.Event<void>;
        readonly provideMcpServerDefinitions: () => Promise<object[]>;
      },
    ): vscode.Disposable;
  };
  readonly McpStdioServerDefinition: ServerDefinition;
}

/** Whether this VS Code can offer servers to its language models. */
export function hasAssistants(api: unknown): api is AssistantApi {
  return (
    isRecord(api) &&
    isRecord(api.lm) &&
    typeof api.lm.registerMcpServerDefinitionProvider === 'function' &&
    typeof api.McpStdioServerDefinition === 'function'
  );
}
