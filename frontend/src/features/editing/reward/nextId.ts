/** An id of this form for a new row: it only has to differ from the others. */
export function nextId(kind: string, rows: readonly { id: string }[]): string {
  let number = rows.length + 1;
  while (rows.some(({ id }) => id === `${kind}-${number}`)) number += 1;
  return `${kind}-${number}`;
}
