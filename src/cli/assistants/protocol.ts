/**
 * What Kymo uses of the protocol's SDK: its server over standard input and output. Only `serve.ts` loads this file, and only when a server
 * starts, because the SDK takes longer to start than all other commands.
 */
// The server without schemas of its own: those of Kymo are JSON schemas, as everywhere.
// oxlint-disable-next-line typescript/no-deprecated
export { Server } from '@modelcontextprotocol/sdk/server/index.js';
export { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
export { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
