/** A video or sound of a service, as a text or a page takes it. */
export interface PlayerAddress {
  isSound: boolean;
  /** The one address that is kept: a video's page, a sound's player. */
  address: string;
}

const scheme = /^(?:https?:)?\/\//i;
const frame = /^<(?:[^]*?<)?iframe\s[^>]*?\bsrc\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"']+))/i;
/** Signs without a width that some programs put around what they copy. */
const unseen = /^[\s\p{Cf}]+|[\s\p{Cf}]+$/gu;
/** Names that stand in the place of an id: a playlist's player, and that of whatever a channel sends now. */
const youtubeNames: readonly string[] = ['videoseries', 'live_stream'];
const spotifyUri = /^spotify:(track|album|playlist|episode|show|artist):([a-z\d]{10,40})$/i;

interface Service {
  hosts: readonly string[];
  read: (path: string, query: URLSearchParams) => PlayerAddress | undefined;
}

const youtube = (id: string | null | undefined): PlayerAddress | undefined =>
  id && /^[\w-]{6,20}$/.test(id) && !youtubeNames.includes(id)
    ? { isSound: false, address: `https://www.youtube.com/watch?v=${id}` }
    : undefined;

const soundcloud = (host: string, path: string, query = ''): PlayerAddress | undefined => {
  const isTrack =
    host === 'api.soundcloud.com' || /^\/[\w-]+\/(?:sets\/)?[\w-]+(?:\/s-[a-z\d]+)?$/i.test(path);
  const track = encodeURIComponent(`https://${host}${path.replaceAll('%3A', ':')}${query}`);
  return isTrack ? { isSound: true, address: `https://w.soundcloud.com/player/?url=${track}` } : undefined;
};

const vimeoPath =
  /^(?:\/video|\/manage\/videos|\/channels\/[^/]+|\/groups\/[^/]+\/videos|\/(?:showcase|album)\/[^/]+\/video)?\/(\d{1,15})(?:\/([\da-f]{6,20}))?$/;
const spotifyPath =
  /^(?:\/intl-[a-z-]{2,7})?(?:\/embed(?:-podcast)?)?(?:\/user\/[^/]+)?\/((?:track|album|playlist|episode|show|artist)\/[a-z\d]{10,40})(?:\/video)?$/i;

const services: readonly Service[] = [
  {
    hosts: ['youtube.com', 'youtube-nocookie.com'],
    read: (path, query) =>
      youtube(/^\/(?:embed|shorts|live|watch|v|e)\/([^/]+)$/.exec(path)?.[1] ?? query.get('v')),
  },
  { hosts: ['youtu.be'], read: (path) => youtube(path.slice(1)) },
  {
    hosts: ['vimeo.com', 'player.vimeo.com'],
    read: (path, query) => {
      const inList = /^\/(?:showcase|album)\/[^/]+$/.test(path) ? query.get('video') : undefined;
      const [, id, inPath] = vimeoPath.exec(inList ? `/${inList}` : path) ?? [];
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
      if (host === 'soundcloud.com') return soundcloud(host, track.pathname);
      if (host !== 'api.soundcloud.com') return undefined;
      // Without its secret the player of a private track says that there is none.
      const secret = /^s-[a-z\d]+$/i.exec(track.searchParams.get('secret_token') ?? '')?.[0];
      return soundcloud(host, track.pathname, secret && `?secret_token=${secret}`);
    },
  },
];

/**
 * Reads what people have of a video or sound: the address of its page or player in every form that the services' share
 * buttons give, with or without a scheme, or the code for embedding. The server takes the same forms. Undefined for
 * anything else.
 */
export function playerAddress(typed: string): PlayerAddress | undefined {
  const trimmed = typed.replace(unseen, '');
  const code = frame.exec(trimmed);
  const given = code ? (code[1] ?? code[2] ?? code[3] ?? '').replaceAll('&amp;', '&').trim() : trimmed;
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
