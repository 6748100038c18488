/**
 * What a visitor sees of a campaign's own (0) and its variations: the one with the greatest weight, of equal ones the
 * lowest id. The server works it out in the same way; see proto-docs/flows/variations.md. Undefined where the browser
 * has no cryptography, as on pages without TLS.
 */
export async function assign(
  visitor: string,
  campaign: number,
  variations: readonly number[],
): Promise<number | undefined> {
  const isAble = (globalThis.crypto as Partial<Crypto> | undefined)?.subtle;
  if (!isAble) return undefined;
  const ids = [0, ...variations].sort((a, b) => a - b);
  const weights = await Promise.all(ids.map((id) => weightOf(`${visitor}:${campaign}:${id}`)));
  return ids[weights.indexOf(Math.max(...weights))];
}

/** The first four bytes of the text's SHA-256, the most significant first. */
async function weightOf(text: string): Promise<number> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return new DataView(digest).getUint32(0);
}
