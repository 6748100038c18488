/**
 * Assigns a visitor to one of a campaign's content variations, or to its original content (0): the id with the highest
 * weight, a hash of visitor, campaign and id; of equal weights the lowest id. The server computes the same, see
 * proto-docs/flows/variations.md. Undefined if the browser has no Web Crypto, as on pages without TLS.
 */
export async function assign(
  visitor: string,
  campaign: number,
  variations: readonly number[],
): Promise<number | undefined> {
  const hasCrypto = (globalThis.crypto as Partial<Crypto> | undefined)?.subtle;
  if (!hasCrypto) return undefined;
  const ids = [0, ...variations].sort((a, b) => a - b);
  const weights = await Promise.all(ids.map((id) => weightOf(`${visitor}:${campaign}:${id}`)));
  return ids[weights.indexOf(Math.max(...weights))];
}

/** The first four bytes of the text's SHA-256, the most significant first. */
async function weightOf(text: string): Promise<number> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return new DataView(digest).getUint32(0);
}
