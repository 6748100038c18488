import { useEffect, useEffectEvent, useState, type RefObject } from 'react';
import type { FrameSource, PlayerService } from '../../domain/video';

/** How long a player may send no message before the page says that it has not opened, in milliseconds. */
export const silenceTimeout = 8_000;

/**
 * The messages that make a player send its own, repeated until it does. The audio players have no such messages, so
 * their silence means nothing.
 */
const subscriptions: Readonly<Partial<Record<PlayerService, readonly object[]>>> = {
  youtube: [
    { event: 'listening', id: 1, channel: 'widget' },
    { event: 'command', func: 'addEventListener', args: ['onError'], id: 1, channel: 'widget' },
  ],
  vimeo: [{ method: 'addEventListener', value: 'error' }],
};

/**
 * Listens to the messages of an embedded player. Calls onFail if the player reports an error. Returns whether it has
 * sent no message for too long, which means that it did not load: iframes have no event for that. A late message makes
 * it false again.
 */
export function usePlayerMessages(
  frame: RefObject<HTMLIFrameElement | null>,
  { platform, embed }: FrameSource,
  onFail: () => void,
): boolean {
  const [isSilent, setSilent] = useState(false);
  const fail = useEffectEvent(onFail);
  useEffect(() => {
    const messages = subscriptions[platform];
    if (!messages) return undefined;
    const { origin } = new URL(embed);
    const subscribe = () => {
      // To any origin: the messages are no secret, and until the player has loaded the iframe has another origin.
      for (const message of messages) frame.current?.contentWindow?.postMessage(JSON.stringify(message), '*');
    };
    const interval = setInterval(subscribe, 500);
    const timeout = setTimeout(() => setSilent(true), silenceTimeout);
    const receive = (message: MessageEvent) => {
      if (message.origin !== origin || message.source !== frame.current?.contentWindow) return;
      clearInterval(interval);
      clearTimeout(timeout);
      setSilent(false);
      if (isFailure(message.data)) fail();
    };
    window.addEventListener('message', receive);
    return () => {
      clearInterval(interval);
      clearTimeout(timeout);
      window.removeEventListener('message', receive);
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
    return false; // Not JSON: another kind of message.
  }
}
