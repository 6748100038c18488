import { useEffect, useRef, useState } from 'react';
import type { ApiError } from '../../api/apiError';
import { failureOf } from '../../ui/saving/failures';
import { localDraft } from '../../ui/saving/localDraft';

export interface SaveOnBlurOptions {
  /** The name under which the device keeps the text, such as cover-alt-12-fi. */
  name: string;
  userId: number;
  /** The server's value. */
  saved: string;
  /** Saves the text. Resolves to the error, or undefined. */
  send: (text: string) => Promise<unknown>;
}

/** A typed text. */
interface Typed {
  text: string;
  /** Once the text is saved: `saved` at that time. The text is shown until `saved` changes. */
  savedThen?: string;
}

/** A line of text that is saved when its field loses the focus, and kept on the device until then. */
export function useSaveOnBlur({ name, userId, saved, send }: SaveOnBlurOptions) {
  const [kept] = useState(() => localDraft<{ text: string }>(userId, name));
  const [typed, setTyped] = useState<Typed | undefined>(() => kept.read());
  const [error, setError] = useState<ApiError>();
  const [isSaved, setSaved] = useState(false);
  const [isSending, setSending] = useState(false);
  const unsaved = useRef(typed?.text);
  // How often the field was left during a save.
  const leftWhileSending = useRef(0);
  const latestSaved = useRef(saved);
  useEffect(() => {
    latestSaved.current = saved;
  });
  const isShown = typed && (typed.savedThen === undefined || typed.savedThen === saved);

  const write = (text: string) => {
    unsaved.current = text;
    setTyped({ text });
    setSaved(false);
    setError(undefined);
    kept.write({ text });
  };
  const leave = async () => {
    if (isSending) leftWhileSending.current += 1;
    else await save(saved);
  };
  /** Saves what is unsaved, if it differs from the server's value. */
  const save = async (before: string) => {
    const text = unsaved.current;
    if (text === undefined) return;
    const left = leftWhileSending.current;
    const failure = text.trim() === before ? undefined : await sending(text.trim());
    if (unsaved.current !== text) {
      // Changed during the save: sent now if the field was left again meanwhile, else when it is.
      if (leftWhileSending.current > left) await save(failure ? before : text.trim());
      return;
    }
    if (failure) {
      setError(failureOf(failure));
      return;
    }
    // Nothing is unsaved now: leaving the field again must not overwrite what others have saved since.
    unsaved.current = undefined;
    setTyped({ text, savedThen: latestSaved.current });
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
  return { value: isShown ? typed.text : saved, error, isSaved, isSending, write, leave };
}
