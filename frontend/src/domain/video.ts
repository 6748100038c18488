export type VideoSource =
  { platform: 'youtube' | 'vimeo'; embed: string } | { platform: 'file'; embed: string; type: string };

interface Platform {
  pattern: RegExp;
  source: (match: RegExpExecArray, url: string) => VideoSource;
}

// The first that matches wins.
const platforms: readonly Platform[] = [
  {
    pattern:
      /^https:\/\/(?:(?:www|m)\.)?(?:youtube(?:-nocookie)?\.com\/(?:watch\?(?:.*&)?v=|embed\/|shorts\/|live\/)|youtu\.be\/)([\w-]{11})/,
    source: ([, id]) => ({
      platform: 'youtube',
      embed: `https://www.youtube-nocookie.com/embed/${id}?autoplay=1&rel=0`,
    }),
  },
  {
    pattern: /^https:\/\/(?:www\.|player\.)?vimeo\.com\/(?:video\/)?(\d+)/,
    source: ([, id]) => ({
      platform: 'vimeo',
      embed: `https://player.vimeo.com/video/${id}?autoplay=1&dnt=1`,
    }),
  },
  {
    pattern: /^(?:https:\/\/|\/(?!\/))\S+\.(mp4|webm)(?:\?\S*)?$/,
    source: ([, ending], url) => ({ platform: 'file', embed: url, type: `video/${ending}` }),
  },
];

/** How to play a video's address, or undefined when no platform knows it. */
export function videoSource(url: string): VideoSource | undefined {
  for (const { pattern, source } of platforms) {
    const match = pattern.exec(url);
    if (match) return source(match, url);
  }
  return undefined;
}
