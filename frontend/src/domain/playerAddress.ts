/** A video or sound of a service, as a text or a page takes it. */
export interface PlayerAddress {
  isSound: boolean;
  /** The one address that is kept: a video's page, a sound's player. */
  address: string;
}

const scheme = /^(?:https?:)?\/\//i;
const frame = /^<(?:[^]*?<)?iframe\s[^>]*?\bsrc\s*=\s*(?:"([^"]*)"|'([^']*)')/i;
const spotifyUri = /^spotify:(track|album|playlist|episode|show|artist):([a-z\d]{10,40})$/i;

interface Service {
  hosts: readonly string[];
  read: (path: string, query: URLSearchParams) => PlayerAddress | undefined;
}

const youtube = (id: string | null | undefined): PlayerAddress | undefined =>
  /^[\w-]{6,20}$/.test(id ?? '')
    ? { isSound: false, address: `https://www.youtube.com/watch?v=${id}` }
    : undefined;

const soundcloud = (host: string, path: string): PlayerAddress | undefined => {
  const isTrack =
    host === 'api.soundcloud.com' || /^\/[\w-]+\/(?:sets\/)?[\w-]+(?:\/s-[a-z\d]+)?$/i.test(path);
  const track = encodeURIComponent(`https://${host}${path}`);
  return isTrack ? { isSound: true, address: `https://w.soundcloud.com/player/?url=${track}` } : undefined;
};

const vimeoPath =
  /^(?:\/video|\/manage\/videos|\/channels\/[^/]+|\/groups\/[^/]+\/videos|\/(?:showcase|album)\/[^/]+\/video)?\/(\d{1,15})(?:\/([\da-f]{6,20}))?$/;
const spotifyPath =
  /^(?:\/intl-[a-z]{2,3})?(?:\/embed)?\/((?:track|album|playlist|episode|show|artist)\/[a-z\d]{10,40})$/i;

const services: readonly Service[] = [
  {
    hosts: ['youtube.com', 'youtube-nocookie.com'],
    read: (path, query) => youtube(/^\/(?:embed|shorts|live|v)\/([^/]+)$/.exec(path)?.[1] ?? query.get('v')),
  },
  { hosts: ['youtu.be'], read: (path) => youtube(path.slice(1)) },
  {
    hosts: ['vimeo.com', 'player.vimeo.com'],
    read: (path, query) => {
      const [, id, inPath] = vimeoPath.exec(path) ?? [];
      if (!id) return undefined;
      const hash = inPath ?? /^[\da-f]{6,20}$/.exec(query.get('h') ?? '')?.[0];
      return { isSound: false, address: `https://vimeo.com/${id}${hash ? `/${hash}` : ''}` };
    },
  },
  {
    hosts: ['open.spotify.com'],
    read: (path) => {
      const place = spotifyPath.exec(path)?.[1];
      return place ? { isSound: true, address: `https://open.spotify.com/embed/${place}` } : undefined;
    },
  },
  { hosts: ['soundcloud.com'], read: (path) => soundcloud('soundcloud.com', path) },
  {
    hosts: ['w.soundcloud.com'],
    read: (path, query) => {
      const track = parsed(query.get('url') ?? '');
      if (path !== '/player' || track?.protocol !== 'https:' || track.username || track.port)
        return undefined;
      const host = withoutPrefix(track.hostname);
      return /^(?:api\.)?soundcloud\.com$/.test(host) ? soundcloud(host, track.pathname) : undefined;
    },
  },
];

/**
 * Reads what people have of a video or sound: the address of its page or player in every form that the services' share
 * buttons give, with or without a scheme, or the code for embedding. The server takes the same forms. Undefined for
 * anything else.
 */
export function playerAddress(typed: string): PlayerAddress | undefined {
  const trimmed = typed.trim();
  const code = frame.exec(trimmed);
  const given = code ? (code[1] ?? code[2] ?? '').replaceAll('&amp;', '&').trim() : trimmed;
  const uri = spotifyUri.exec(given);
  if (uri) return playerAddress(`https://open.spotify.com/${uri[1]}/${uri[2]}`);
  const url = parsed(`https://${given.replace(scheme, '')}`);
  if (!url || url.username || url.port) return undefined;
  const host = withoutPrefix(url.hostname);
  const path = url.pathname.replace(/\/$/, '');
  return services.find(({ hosts }) => hosts.includes(host))?.read(path, url.searchParams);
}

const withoutPrefix = (host: string) => host.replace(/^www\./, '').replace(/^(?:m|music)\./, '');

function parsed(address: string): URL | undefined {
  try {
    return new URL(address);
  } catch {
    return undefined;
  }
}
