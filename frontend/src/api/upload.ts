import type { ThunkAction, UnknownAction } from '@reduxjs/toolkit';
import { isLive } from '../domain/session';
import type { ApiError } from './apiError';
import { toApiError, type ApiExtra } from './baseQuery';
import type { FileAnswer, ImageAnswer } from './editing';
import { signedOut, type SessionState } from './session';

/** A picture that the server has stored. */
export interface StoredPicture {
  /** Under /media. */
  name: string;
  width: number;
  height: number;
}

/** Whose picture it is: a campaign's, which its team sees to, or the sender's own. */
export type PictureOf = { campaignId: number } | 'me';

export interface UploadOptions {
  /** From 0 to 1, as the browser sends it. */
  onProgress: (part: number) => void;
  /** Gives the upload up; its error has the status `cancelled`. */
  signal: AbortSignal;
}

export type UploadResult = { picture: StoredPicture } | { error: ApiError };

type Act<Result> = ThunkAction<Result, { session: SessionState }, ApiExtra, UnknownAction>;

/** Sends a picture. By XMLHttpRequest, because fetch does not tell how much has left. A dead session ends, as by any call. */
export const uploadPicture =
  (of: PictureOf, file: Blob, { onProgress, signal }: UploadOptions): Act<Promise<UploadResult>> =>
  async (dispatch, getState, { now, language }) => {
    const { token } = getState().session;
    const bearer = token && isLive(token.timestamp, now()) ? token.string : undefined;
    const place = of === 'me' ? '/files/images/' : `/campaigns/${of.campaignId}/files/`;
    const result = await send(`${window.location.origin}/content${place}`, file, {
      onProgress,
      signal,
      headers: { 'Accept-Language': language(), ...(bearer && { Authorization: `Bearer ${bearer}` }) },
    });
    if ('error' in result) {
      const isDead = result.error.status === 'token_expired' || result.error.status === 'token_invalid';
      const isSame = getState().session.token === token;
      if (token && isSame && (!bearer || isDead)) dispatch(signedOut());
    }
    return result;
  };

function storedPicture(answer: FileAnswer | ImageAnswer): StoredPicture {
  if ('file' in answer) return answer.file;
  const { filename, width, height } = answer.image;
  return { name: filename, width, height };
}

function send(
  address: string,
  file: Blob,
  { onProgress, signal, headers }: UploadOptions & { headers: Readonly<Record<string, string>> },
): Promise<UploadResult> {
  return new Promise((resolve) => {
    const refuse = (error: ApiError) => resolve({ error });
    const request = new XMLHttpRequest();
    request.open('POST', address);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.addEventListener('progress', ({ lengthComputable, loaded, total }) => {
      if (lengthComputable && total > 0) onProgress(loaded / total);
    });
    const noAnswer = () => refuse(toApiError({ status: 'FETCH_ERROR' }));
    request.addEventListener('error', noAnswer);
    request.addEventListener('timeout', noAnswer);
    request.addEventListener('abort', () => refuse({ status: 'cancelled', http: 0 }));
    request.addEventListener('load', () => {
      const body = parse(request.responseText);
      const isStored = request.status === 201 && typeof body === 'object' && body !== null;
      if (isStored) resolve({ picture: storedPicture(body as FileAnswer | ImageAnswer) });
      else refuse(toApiError({ status: request.status, data: body }, request.status));
    });
    signal.addEventListener('abort', () => request.abort());
    const form = new FormData();
    form.append('file', file);
    request.send(form);
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // A proxy's page, or nothing.
  }
}
