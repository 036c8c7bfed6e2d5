// `npm run reference`: writes the pages of the documentation that are made from the product itself to docs/reference: all commands from their
// definitions, and the keys of kymo.json from its schema. They are not committed.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { loadBundled } from './lib/bundled.mjs';
import { nodeBundle } from './lib/nodeBundle.mjs';
import { schemaReference } from './lib/schemaReference.mjs';
import { root } from './lib/system.mjs';

const folder = path.join(root, 'docs/reference');
const { commandPage } = await loadBundled('src/cli/reference.ts', nodeBundle);
const schema = JSON.parse(readFileSync(path.join(root, 'media/kymo.schema.json'), 'utf8'));
mkdirSync(folder, { recursive: true });
writeFileSync(path.join(folder, 'commands.md'), commandPage());
writeFileSync(path.join(folder, 'kymo-json.md'), schemaReference(schema));
