import { useEffect, useRef, useState } from 'react';
import type { ApiError } from '../../../api/apiError';
import { uploadPicture, type PictureOf, type StoredPicture } from '../../../api/upload';
import { useAppDispatch } from '../../../api/useAppDispatch';

/** Where a picture is on its way to the server. */
export type UploadState =
  | { is: 'idle' }
  /** `part` is from 0 to 1. */
  | { is: 'sending'; part: number }
  /** The picture is kept for another try. */
  | { is: 'failed'; error: ApiError; file: Blob };

export interface Upload {
  state: UploadState;
  send: (file: Blob) => void;
  /** Gives it up. */
  cancel: () => void;
}

/** Sends one picture at a time. Leaving the screen gives it up. */
export function useUpload(of: PictureOf, onStored: (picture: StoredPicture) => void): Upload {
  const dispatch = useAppDispatch();
  const [state, setState] = useState<UploadState>({ is: 'idle' });
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);

  const send = async (file: Blob) => {
    running.current?.abort();
    const mine = new AbortController();
    running.current = mine;
    setState({ is: 'sending', part: 0 });
    const onProgress = (part: number) => {
      if (!mine.signal.aborted) setState({ is: 'sending', part });
    };
    const result = await dispatch(uploadPicture(of, file, { onProgress, signal: mine.signal }));
    if (mine.signal.aborted) return;
    if ('error' in result) {
      setState({ is: 'failed', error: result.error, file });
    } else {
      setState({ is: 'idle' });
      onStored(result.picture);
    }
  };

  return {
    state,
    send: (file) => void send(file),
    cancel: () => {
      running.current?.abort();
      setState({ is: 'idle' });
    },
  };
}
