import { useRef, useState } from 'react';
import { isApiError, type ApiError } from '../../api/apiError';
import { keptOnDevice } from './kept';

export interface KeptTextOptions {
  /** Under this name the device keeps it, such as cover-alt-12-fi. */
  name: string;
  userId: number;
  /** What the server has. */
  saved: string;
  /** Sends it; undefined when that worked. */
  send: (text: string) => Promise<unknown>;
}

/** One line of text that is sent when its field is left, and kept on the device until the server has it. */
export function useKeptText({ name, userId, saved, send }: KeptTextOptions) {
  const [kept] = useState(() => keptOnDevice<{ text: string }>(userId, name));
  // Only while it differs from what the server has.
  const [typed, setTyped] = useState(() => kept.read()?.text);
  const [error, setError] = useState<ApiError>();
  const [isSaved, setSaved] = useState(false);
  const [isSending, setSending] = useState(false);
  const latest = useRef(typed);
  const value = typed ?? saved;

  const write = (text: string) => {
    latest.current = text;
    setTyped(text);
    setSaved(false);
    setError(undefined);
    kept.write({ text });
  };
  const leave = async () => {
    const text = latest.current;
    if (text === undefined || isSending) return;
    const failure = text.trim() === saved ? undefined : await sending(text.trim());
    if (latest.current !== text) return; // Typed on meanwhile: sent when it is left again.
    if (failure) {
      setError(isApiError(failure) ? failure : { status: 'invalid_response', http: 0 });
      return;
    }
    kept.write();
    setError(undefined);
    setSaved(true);
  };
  const sending = async (text: string) => {
    setSending(true);
    try {
      return await send(text);
    } finally {
      setSending(false);
    }
  };
  return { value, error, isSaved, isSending, write, leave };
}
