import { fetchBaseQuery, type BaseQueryFn, type FetchArgs } from '@reduxjs/toolkit/query/react';
import type { Language } from '../domain/languages';
import { isLive } from '../domain/session';
import type { Clock } from './clock';
import type { ApiError, FieldError } from './apiError';
import { takeResponse, type PageData } from './pageData';
import { signedOut, type SessionState } from './session';

/** What calls get from the store besides its state. */
export interface ApiExtra {
  now: Clock;
  page: PageData;
  /** The page's; the services answer in it. */
  language: () => Language;
}

type ServiceQuery = BaseQueryFn<string | FetchArgs, unknown, ApiError>;

/**
 * A read without an answer has failed after so many milliseconds, and the screen says so. What changes something is waited
 * for: whether it happened is not known before.
 */
const patience = 20_000;

const readerIn = ({ session }: { session: SessionState }) => session.user?.user_id;

/**
 * Sends a service's calls to its place on the page's own origin, with the bearer token while there is a live one. An
 * answer belongs to the reader who asked: when that has changed meanwhile, a read is asked again.
 */
export function serviceQuery(place: '/content' | '/payments'): ServiceQuery {
  return async (args, api, options) => {
    const request = typeof args === 'string' ? { url: args } : args;
    const isRead = (request.method ?? 'GET') === 'GET';
    for (;;) {
      const { reader, result } = await ask(place, request, isRead, api, options);
      if (!isRead || reader === readerIn(api.getState() as { session: SessionState })) return result;
    }
  };
}

type Parts = Parameters<ServiceQuery>;

/** One try. Gives whose answer it is. */
async function ask(place: string, request: FetchArgs, isRead: boolean, api: Parts[1], options: Parts[2]) {
  const { now, page, language } = api.extra as ApiExtra;
  const { session } = api.getState() as { session: SessionState };
  const { token } = session;
  const bearer = token && isLive(token.timestamp, now()) ? token.string : undefined;
  const reader = bearer === undefined ? undefined : session.user?.user_id;

  // The answers that the server put into the page were made for an anonymous reader.
  if (!bearer && isRead) {
    const first = takeResponse(page, `${place}${request.url}${search(request.params)}`);
    if (first) return { reader, result: { data: first.body } };
  }

  const send = fetchBaseQuery({
    timeout: isRead ? patience : undefined,
    baseUrl: window.location.origin + place,
    prepareHeaders: (headers) => {
      // The browser would send its own languages, which need not be the page's.
      headers.set('Accept-Language', language());
      if (bearer) headers.set('Authorization', `Bearer ${bearer}`);
    },
  });
  const { data, error, meta } = await send(request, api, options);
  const failure = error && toApiError(error, meta?.response?.status);
  const isDead = failure?.status === 'token_expired' || failure?.status === 'token_invalid';
  // The token that had lapsed or was refused, not one that came meanwhile.
  const isSame = (api.getState() as { session: SessionState }).session.token === token;
  if (token && isSame && (!bearer || isDead)) api.dispatch(signedOut());
  return { reader, result: failure ? { error: failure } : { data } };
}

function search(params: FetchArgs['params']): string {
  const set = Object.entries(params ?? {}).filter(([, value]) => value !== undefined && value !== null);
  return set.length ? `?${new URLSearchParams(set.map(([key, value]) => [key, String(value)]))}` : '';
}

/** One shape for every failure. An answer without a readable body is `invalid_response`. */
export function toApiError(error: { status: number | string; data?: unknown }, http = 0): ApiError {
  const { data } = error;
  if (typeof data === 'object' && data !== null && 'status' in data && typeof data.status === 'string') {
    const body = data as {
      status: string;
      code?: string;
      message?: string;
      fields?: FieldError[];
      request_id?: string;
    };
    return {
      status: body.status,
      code: body.code,
      message: body.message,
      fields: body.fields,
      requestId: body.request_id,
      http,
    };
  }
  return { status: 'invalid_response', http };
}
