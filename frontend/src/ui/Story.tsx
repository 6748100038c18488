import { useCallback, useMemo, useState } from 'react';
import { createPortal } from 'react-dom';
import { frameSource } from '../domain/video';
import { PlayerPoster } from './video/VideoPoster';

export interface StoryProps {
  /** HTML that the content service has sanitised. */
  html: string;
  /** The title of the campaign, post or experiment; names the videos for screen readers. */
  title: string;
  /** The language of the text, where it is not the page's. */
  lang?: string;
}

/**
 * A text of a campaign, post or experiment; styles/story.css styles its elements. Its iframes are replaced by posters
 * that load the player on click, so that a visit sends no request to the video or audio service.
 */
export function Story({ html, title, lang }: StoryProps) {
  const { markup, players } = useMemo(() => takePlayers(html), [html]);
  const [places, setPlaces] = useState<readonly Element[]>([]);
  const find = useCallback(
    (root: HTMLDivElement | null) =>
      setPlaces(root && players.length > 0 ? [...root.querySelectorAll(`[${mark}]`)] : []),
    [players],
  );
  return (
    <>
      <div
        key={markup}
        ref={find}
        className="tk-story"
        lang={lang}
        dangerouslySetInnerHTML={{ __html: markup }}
      />
      {places.map((place, number) => {
        const source = frameSource(players[number] ?? '');
        return source && createPortal(<PlayerPoster source={source} title={title} />, place, String(number));
      })}
    </>
  );
}

const mark = 'data-player';

/** The HTML with each iframe replaced by an empty element, and the addresses of the iframes in the same order. */
function takePlayers(html: string): { markup: string; players: readonly string[] } {
  if (!html.includes('<iframe')) return { markup: html, players: [] };
  // Parsed into a separate document, where iframes and images are not loaded.
  const { body } = new DOMParser().parseFromString(html, 'text/html');
  const players = [...body.querySelectorAll('iframe')].map((frame) => {
    const place = document.createElement('div');
    place.setAttribute(mark, '');
    frame.replaceWith(place);
    return frame.getAttribute('src') ?? '';
  });
  return { markup: body.innerHTML, players };
}
