export type VideoSource =
  { platform: 'youtube' | 'vimeo'; embed: string } | { platform: 'file'; embed: string; type: string };

interface Platform {
  pattern: RegExp;
  source: (match: RegExpExecArray, url: string) => VideoSource;
}

const youtube = (id = ''): VideoSource => ({
  platform: 'youtube',
  embed: `https://www.youtube-nocookie.com/embed/${id}?autoplay=1&rel=0`,
});

// The first match is used.
const platforms: readonly Platform[] = [
  {
    pattern:
      /^https:\/\/(?:(?:www|m)\.)?youtube(?:-nocookie)?\.com\/(?:watch\?(?:.*&)?v=|(?:embed|shorts|live)\/)([\w-]{11})/,
    source: ([, id]) => youtube(id),
  },
  {
    pattern: /^https:\/\/(?:(?:www|m)\.)?youtu\.be\/([\w-]{11})/,
    source: ([, id]) => youtube(id),
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

/** How to play a video from its address, or undefined if it is not a known platform or a video file. */
export function videoSource(url: string): VideoSource | undefined {
  for (const { pattern, source } of platforms) {
    const match = pattern.exec(url);
    if (match) return source(match, url);
  }
  return undefined;
}
