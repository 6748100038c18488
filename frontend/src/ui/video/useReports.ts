import { useEffect, useEffectEvent, useState, type RefObject } from 'react';
import type { FrameSource, PlayerService } from '../../domain/video';

/** How long a player may take before the reader is told that it does not come, in milliseconds. */
export const patience = 8_000;

/** What makes a player talk, until it does. Players of sound are not known to; they are not waited for. */
const greetings: Readonly<Partial<Record<PlayerService, readonly object[]>>> = {
  youtube: [
    { event: 'listening', id: 1, channel: 'widget' },
    { event: 'command', func: 'addEventListener', args: ['onError'], id: 1, channel: 'widget' },
  ],
  vimeo: [{ method: 'addEventListener', value: 'error' }],
};

/**
 * Whether a platform's player has said nothing for too long. A frame does not report that its page did not load, but the
 * players talk to the page around them: silence means that there is none, and an error that it cannot play (then onFail
 * is called). A player that comes late takes the silence back.
 */
export function useReports(
  frame: RefObject<HTMLIFrameElement | null>,
  { platform, embed }: FrameSource,
  onFail: () => void,
): boolean {
  const [isSilent, setSilent] = useState(false);
  const fail = useEffectEvent(onFail);
  useEffect(() => {
    const words = greetings[platform];
    if (!words) return undefined;
    const { origin } = new URL(embed);
    const greet = () => {
      // To any origin: nothing in it is secret, and until the player is there the frame has another.
      for (const word of words) frame.current?.contentWindow?.postMessage(JSON.stringify(word), '*');
    };
    const greeting = setInterval(greet, 500);
    const waiting = setTimeout(() => setSilent(true), patience);
    const hear = (message: MessageEvent) => {
      if (message.origin !== origin || message.source !== frame.current?.contentWindow) return;
      clearInterval(greeting);
      clearTimeout(waiting);
      setSilent(false);
      if (isFailure(message.data)) fail();
    };
    window.addEventListener('message', hear);
    return () => {
      clearInterval(greeting);
      clearTimeout(waiting);
      window.removeEventListener('message', hear);
    };
  }, [frame, platform, embed]);
  return isSilent;
}

/** YouTube's onError, Vimeo's error: as JSON text or as an object. */
function isFailure(data: unknown): boolean {
  try {
    const said: unknown = typeof data === 'string' ? JSON.parse(data) : data;
    const event = typeof said === 'object' && said !== null && 'event' in said ? said.event : undefined;
    return event === 'onError' || event === 'error';
  } catch {
    return false; // Not JSON: something else that the player says.
  }
}
