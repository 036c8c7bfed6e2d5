import { at } from '../../core/at';
import type { Layout } from './layout';
import { levelByLevel } from './rankProcesses';

/** The text of a layout file, level by level: reading it gives the same tree with the same ranks. */
export function printLayout({ nodes, root }: Layout): string {
  const name = (rank: number) => {
    const { host, index } = at(nodes, rank);
    return `${host}:${index}`;
  };
  if (nodes.length === 1) return `${name(root)} ;\n`;
  return levelByLevel(nodes, root)
    .filter((rank) => at(nodes, rank).children.length > 0)
    .map(
      (rank) =>
        `${name(rank)} =>\n${at(nodes, rank)
          .children.map((child) => `  ${name(child)}\n`)
          .join('')}  ;\n`,
    )
    .join('\n');
}
