/** A video or audio service whose player is embedded in an iframe. */
export type PlayerService = 'youtube' | 'vimeo' | 'spotify' | 'soundcloud';

/** A player that is embedded in an iframe. */
export interface FrameSource {
  platform: PlayerService;
  /** The address of the iframe. */
  embed: string;
  /** The address of the same video or audio on the service's own site. */
  page: string;
  /** The height of an audio player, in pixels. Undefined for videos, which are 360 pixels high. */
  height?: number;
}

/** A video file. */
export interface FileSource {
  platform: 'file';
  embed: string;
  type: string;
}

/** How a video or audio is played. */
export type VideoSource = FrameSource | FileSource;

interface Platform {
  pattern: RegExp;
  source: (match: RegExpExecArray, url: string) => VideoSource;
}

// enablejsapi: the player posts messages to the page when it is ready and when it cannot play.
const youtube = (id = ''): VideoSource => ({
  platform: 'youtube',
  embed: `https://www.youtube-nocookie.com/embed/${id}?autoplay=1&rel=0&enablejsapi=1`,
  page: `https://www.youtube.com/watch?v=${id}`,
});

// The first match is used.
const platforms: readonly Platform[] = [
  {
    pattern:
      /^https:\/\/(?:(?:www|m)\.)?youtube(?:-nocookie)?\.com\/(?:watch\?(?:.*&)?v=|(?:embed|shorts|live)\/)([\w-]{6,20})/,
    source: ([, id]) => youtube(id),
  },
  {
    pattern: /^https:\/\/(?:(?:www|m)\.)?youtu\.be\/([\w-]{6,20})/,
    source: ([, id]) => youtube(id),
  },
  {
    // An unlisted video has a hash, without which the player says that there is none.
    pattern: /^https:\/\/(?:www\.|player\.)?vimeo\.com\/(?:video\/)?(\d+)(?:\/|\?h=)?([\da-f]{6,20})?/,
    source: ([, id, hash]) => ({
      platform: 'vimeo',
      embed: `https://player.vimeo.com/video/${id}?${hash ? `h=${hash}&` : ''}autoplay=1&dnt=1`,
      page: `https://vimeo.com/${id}${hash ? `/${hash}` : ''}`,
    }),
  },
  {
    pattern: /^(?:https:\/\/|\/(?!\/))\S+\.(mp4|webm)(?:\?\S*)?$/,
    source: ([, ending], url) => ({ platform: 'file', embed: url, type: `video/${ending}` }),
  },
];

const sounds: readonly { pattern: RegExp; platform: PlayerService; height: number }[] = [
  {
    pattern: /^https:\/\/open\.spotify\.com\/(?:embed\/)?(?:track|album|playlist|episode|show|artist)\/\w/,
    platform: 'spotify',
    height: 200,
  },
  { pattern: /^https:\/\/w\.soundcloud\.com\/player\/?\?/, platform: 'soundcloud', height: 166 },
];

/** How to play a video from its address, or undefined if it is not a known platform or a video file. */
export function videoSource(url: string): VideoSource | undefined {
  for (const { pattern, source } of platforms) {
    const match = pattern.exec(url);
    if (match) return source(match, url);
  }
  return undefined;
}

/** The player for the address of an iframe in a story, of a video or audio. Undefined for unknown hosts. */
export function frameSource(src: string): VideoSource | undefined {
  const sound = sounds.find(({ pattern }) => pattern.test(src));
  if (!sound) return videoSource(src);
  const { platform, height } = sound;
  if (platform === 'soundcloud')
    return { platform, embed: src, page: new URL(src).searchParams.get('url') ?? src, height };
  const page = src.replace('.com/embed/', '.com/');
  return { platform, embed: page.replace('.com/', '.com/embed/'), page, height };
}
