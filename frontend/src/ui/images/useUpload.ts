import { useEffect, useRef, useState } from 'react';
import type { ApiError } from '../../api/apiError';
import { uploadPicture, type PictureOf, type StoredPicture } from '../../api/upload';
import { useAppDispatch } from '../../api/useAppDispatch';

/** The state of an upload. */
export type UploadState =
  | { is: 'idle' }
  /** `part`: how much is sent, from 0 to 1. */
  | { is: 'sending'; part: number }
  /** The file is kept for a retry. */
  | { is: 'failed'; error: ApiError; file: Blob };

/** The state of an upload and its controls. */
export interface Upload {
  state: UploadState;
  /** Starts an upload; a running one is canceled. */
  send: (file: Blob) => void;
  /** Cancels the running upload. */
  cancel: () => void;
}

/** Uploads one picture at a time. Unmounting cancels it. */
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
