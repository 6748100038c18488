/** The data that the server embeds in the page: public settings and the responses to the page's first requests. */
export interface PageData {
  config: PublicConfig;
  /** Response bodies by address, such as /content/campaigns/categories/?language=fi. */
  responses: Map<string, unknown>;
}

/** Settings that the server makes public. */
export interface PublicConfig {
  /** True when payments and mail go to the sandbox. */
  sandbox?: boolean;
  /** The address of the payment provider's script, if it is not loaded from the provider. */
  stripe_script?: string;
  /** The payment provider's publishable key; without one, cards are not accepted. */
  stripe_publishable_key?: string;
  /** The addresses of the terms that a creator accepts, by the provider who pays them. */
  provider_terms?: Readonly<Record<string, string>> | null;
}

/** Page data without settings and responses, for a page into which the server embedded none. */
export const noPageData = (): PageData => ({ config: {}, responses: new Map() });

/** Reads the JSON block that the content service writes into the page. Throws if it is not valid JSON. */
export function readPageData(document: Document): PageData {
  const text = document.getElementById('tk-data')?.textContent;
  if (!text) return noPageData();
  const { config = {}, responses = {} } = JSON.parse(text) as {
    config?: PublicConfig;
    responses?: Record<string, unknown>;
  };
  return {
    config,
    responses: new Map(Object.entries(responses).map(([address, body]) => [normalizeAddress(address), body])),
  };
}

/** Removes the origin and trailing slashes and sorts the parameters, so that equal addresses are equal strings. */
export function normalizeAddress(address: string): string {
  const { pathname, searchParams } = new URL(address, 'http://page');
  searchParams.sort();
  return `${pathname.replace(/\/+$/, '')}?${searchParams}`;
}

/** Takes an embedded response out of the page data, so that it is used once and later requests go to the server. */
export function takeResponse(data: PageData, address: string): { body: unknown } | undefined {
  const key = normalizeAddress(address);
  if (!data.responses.has(key)) return undefined;
  const body = data.responses.get(key);
  data.responses.delete(key);
  return { body };
}
