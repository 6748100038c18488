import type { ThunkAction, UnknownAction } from '@reduxjs/toolkit';
import { isLive } from '../domain/session';
import type { ApiError } from './apiError';
import { toApiError, type ApiExtra } from './baseQuery';
import type { FileAnswer, ImageAnswer } from './editing';
import { sessionEnded, type SessionState } from './session';

/** A picture that the server has stored. */
export interface StoredPicture {
  /** Under /media. */
  name: string;
  width: number;
  height: number;
}

/** Where the picture is stored: with a campaign, which needs the right to edit it, or with the user's own pictures. */
export type PictureOf = { campaignId: number } | 'me';

/** See uploadPicture. */
export interface UploadOptions {
  /** Called with the share that has been sent, from 0 to 1. */
  onProgress: (part: number) => void;
  /** Aborts the upload, which then fails with the status `cancelled`. */
  signal: AbortSignal;
}

/** The stored picture, or why it was not stored. */
export type UploadResult = { picture: StoredPicture } | { error: ApiError };

type UploadThunk<Result> = ThunkAction<Result, { session: SessionState }, ApiExtra, UnknownAction>;

/**
 * Uploads a picture. By XMLHttpRequest, because fetch does not report the progress of an upload. As with any other
 * request, an expired or refused token signs the user out.
 */
export const uploadPicture =
  (of: PictureOf, file: Blob, { onProgress, signal }: UploadOptions): UploadThunk<Promise<UploadResult>> =>
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
      const isTokenRefused =
        result.error.status === 'token_expired' || result.error.status === 'token_invalid';
      const isSame = getState().session.token === token;
      if (token && isSame && (!bearer || isTokenRefused)) dispatch(sessionEnded('expired'));
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
    const fail = (error: ApiError) => resolve({ error });
    const request = new XMLHttpRequest();
    request.open('POST', address);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.addEventListener('progress', ({ lengthComputable, loaded, total }) => {
      if (lengthComputable && total > 0) onProgress(loaded / total);
    });
    const noAnswer = () => fail(toApiError({ status: 'FETCH_ERROR' }));
    request.addEventListener('error', noAnswer);
    request.addEventListener('timeout', noAnswer);
    request.addEventListener('abort', () => fail({ status: 'cancelled', http: 0 }));
    request.addEventListener('load', () => {
      const body = parse(request.responseText);
      const isStored = request.status === 201 && typeof body === 'object' && body !== null;
      if (isStored) resolve({ picture: storedPicture(body as FileAnswer | ImageAnswer) });
      else fail(toApiError({ status: request.status, data: body }, request.status));
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
    return undefined; // Not from the service: a proxy's error page, or an empty body.
  }
}
