/** Fetches rows in pieces until all have arrived or a piece is empty. `ask` receives the position of the first row and the number that fits. */
export async function inPieces<Row>(
  count: number,
  most: number,
  ask: (first: number, count: number) => Promise<readonly Row[]>,
): Promise<Row[]> {
  const rows: Row[] = [];
  while (rows.length < count) {
    const piece = await ask(rows.length, Math.min(most, count - rows.length));
    if (piece.length === 0) break;
    for (const row of piece) rows.push(row);
  }
  return rows;
}
