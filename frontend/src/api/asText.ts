/** Reads a response that is a file as text, and errors as JSON, as everywhere. */
export const asText = (response: Response): Promise<unknown> =>
  response.ok ? response.text() : (response.json() as Promise<unknown>);
