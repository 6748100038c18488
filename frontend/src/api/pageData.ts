/** What the page came with: settings that anyone may see, and answers to the first calls. */
export interface PageData {
  config: PublicConfig;
  /** Bodies by the address they would be fetched from, such as /content/campaigns/categories/?language=fi. */
  responses: Map<string, unknown>;
}

export interface PublicConfig {
  /** True when the platform runs against the stand-ins of the outside world. */
  sandbox?: boolean;
  /** Where the payment provider's script is, when it is not the provider's own. */
  stripe_script?: string;
  /** The browser's key at the payment provider; without one cards are not taken. */
  stripe_publishable_key?: string;
}

export const noPageData = (): PageData => ({ config: {}, responses: new Map() });

/** Reads the JSON block that the content service writes into the page. */
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

/** One spelling of an address: no origin, no trailing slash, parameters in order. */
export function normalizeAddress(address: string): string {
  const { pathname, searchParams } = new URL(address, 'http://page');
  searchParams.sort();
  return `${pathname.replace(/\/+$/, '')}?${searchParams}`;
}

/** Takes the answer that came with the page. It serves once: after that the server is asked. */
export function takeResponse(data: PageData, address: string): { body: unknown } | undefined {
  const key = normalizeAddress(address);
  if (!data.responses.has(key)) return undefined;
  const body = data.responses.get(key);
  data.responses.delete(key);
  return { body };
}
