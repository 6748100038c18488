import { fetchBaseQuery, type BaseQueryFn, type FetchArgs } from '@reduxjs/toolkit/query/react';
import type { Language } from '../domain/languages';
import { isLive } from '../domain/session';
import type { Clock } from './clock';
import type { ApiError, FieldError } from './apiError';
import { orderTokenFor, orderTokenIn } from './orderTokens';
import { takeResponse, type PageData } from './pageData';
import { sessionEnded, type SessionState } from './session';

/** The extra argument of thunks and base queries. */
export interface ApiExtra {
  now: Clock;
  page: PageData;
  /** The page's language; the services respond in it. */
  language: () => Language;
}

type ServiceQuery = BaseQueryFn<string | FetchArgs, unknown, ApiError>;

/**
 * In milliseconds. Only reads have a timeout: aborting a write would leave unknown whether it was done.
 */
const readTimeout = 20_000;

const readerIn = ({ session }: { session: SessionState }) => session.user?.user_id;

/**
 * The base query of a service, which is at `path` on the page's own origin. Sends the bearer token while it is valid.
 * If somebody signs in or out while a read is under way, the response is for the wrong user, so the read is repeated.
 */
export function serviceQuery(path: '/content' | '/payments'): ServiceQuery {
  return async (args, api, options) => {
    const request = typeof args === 'string' ? { url: args } : args;
    const isRead = (request.method ?? 'GET') === 'GET';
    for (;;) {
      const { reader, result } = await ask(path, request, isRead, api, options);
      if (!isRead || reader === readerIn(api.getState() as { session: SessionState })) return result;
    }
  };
}

type Parts = Parameters<ServiceQuery>;

/** One attempt. `reader` is the user whom the response is for. */
async function ask(path: string, request: FetchArgs, isRead: boolean, api: Parts[1], options: Parts[2]) {
  const { now, page, language } = api.extra as ApiExtra;
  const { session } = api.getState() as { session: SessionState };
  const { token } = session;
  const bearer = token && isLive(token.timestamp, now()) ? token.string : undefined;
  const reader = bearer === undefined ? undefined : session.user?.user_id;

  // What is the reader's own has no answer for nobody: a read that was under way at the session's end ends here.
  if (!bearer && isRead && request.url.startsWith('/users/me/')) {
    if (token) api.dispatch(sessionEnded('expired'));
    return { reader, result: { error: { status: 'token_expired', http: 401 } } };
  }

  // The responses that the server embedded in the page are for an anonymous reader.
  if (!bearer && isRead) {
    const embedded = takeResponse(page, `${path}${request.url}${search(request.params)}`);
    if (embedded) return { reader, result: { data: embedded.body } };
  }

  const send = fetchBaseQuery({
    timeout: isRead ? readTimeout : undefined,
    baseUrl: window.location.origin + path,
    prepareHeaders: (headers) => {
      // By default the browser sends its own languages, which may differ from the page's.
      headers.set('Accept-Language', language());
      if (bearer) headers.set('Authorization', `Bearer ${bearer}`);
      const order = orderTokenFor(request.url) ?? orderTokenIn(request.body);
      if (order) headers.set('Order-Token', order);
    },
  });
  const { data, error, meta } = await send(request, api, options);
  const failure = error && toApiError(error, meta?.response?.status);
  const isTokenRefused = failure?.status === 'token_expired' || failure?.status === 'token_invalid';
  // Sign out only if nobody has signed in with another token meanwhile.
  const isSame = (api.getState() as { session: SessionState }).session.token === token;
  if (token && isSame && (!bearer || isTokenRefused)) api.dispatch(sessionEnded('expired'));
  return { reader, result: failure ? { error: failure } : { data } };
}

function search(params: FetchArgs['params']): string {
  const set = Object.entries(params ?? {}).filter(([, value]) => value !== undefined && value !== null);
  return set.length ? `?${new URLSearchParams(set.map(([key, value]) => [key, String(value)]))}` : '';
}

/** A response without a readable error body becomes `invalid_response`. */
export function toApiError(error: { status: number | string; data?: unknown }, http = 0): ApiError {
  const { data } = error;
  if (typeof data === 'object' && data !== null && 'status' in data && typeof data.status === 'string') {
    const body = data as {
      status: string;
      code?: string;
      message?: string;
      fields?: FieldError[];
      params?: Record<string, unknown>;
      request_id?: string;
    };
    return {
      status: body.status,
      code: body.code,
      message: body.message,
      fields: body.fields,
      params: body.params,
      requestId: body.request_id,
      http,
    };
  }
  return { status: 'invalid_response', http };
}
