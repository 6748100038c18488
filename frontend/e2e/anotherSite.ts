import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { platform } from './platform';

/** A site of somebody else, on an origin of its own. */
export interface AnotherSite {
  /** Its base address, without a trailing slash. */
  origin: string;
  close: () => void;
}

/**
 * Serves pages by their paths under the strictest policy that our test bed says the widget works under. The site's own
 * style elements have the nonce `own`, which the widget does not know.
 */
export async function anotherSite(pages: Readonly<Record<string, string>>): Promise<AnotherSite> {
  const { web } = platform();
  const policy = [
    "default-src 'none'",
    `script-src ${web}`,
    `connect-src ${web}`,
    `img-src ${web}`,
    "style-src 'nonce-own'",
    "base-uri 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');
  const server = createServer((request, response) => {
    const page = pages[request.url ?? ''];
    response.writeHead(page ? 200 : 204, {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': policy,
      'Cross-Origin-Embedder-Policy': 'require-corp',
    });
    response.end(page);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { origin: `http://127.0.0.1:${port}`, close: () => server.close() };
}

/** A page of the site: an article with the widget's tags below it. */
export function article(style: string, tags: string, lang = 'fi') {
  return `<!doctype html><html lang="${lang}"><head><meta charset="utf-8"><title>Pielaveden Sanomat</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style nonce="own">body { margin: 16px; font-family: Georgia, serif; letter-spacing: 2px; text-transform: uppercase } ${style}</style></head>
<body><main><h1>Rantasauna palasi kylään</h1><p id="text">Talkoissa oli kolmekymmentä.</p>${tags}</main></body></html>`;
}

/** The tags that our test bed says to embed. */
export function tags(attributes = '') {
  return `<script src="${platform().web}/widget.js" async></script><talkoot-suggestions${attributes}></talkoot-suggestions>`;
}
