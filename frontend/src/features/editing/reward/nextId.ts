/** An id for a new row that no other row of the form has. */
export function nextId(kind: string, rows: readonly { id: string }[]): string {
  let number = rows.length + 1;
  while (rows.some(({ id }) => id === `${kind}-${number}`)) number += 1;
  return `${kind}-${number}`;
}
