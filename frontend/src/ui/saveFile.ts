/** Gives the browser a file to save. */
export function saveFile(content: BlobPart[], type: string, name: string): void {
  const address = URL.createObjectURL(new Blob(content, { type }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address));
}

/**
 * The same for CSV that the API gave. The API's types say Blob, but it is read as text (`api/asText.ts`), which drops the
 * byte order mark by which spreadsheets recognise UTF-8: it is added again. The name is without its ending.
 */
export function saveSheet(text: BlobPart, name: string): void {
  saveFile(['\uFEFF', text], 'text/csv;charset=utf-8', `${name}.csv`);
}
