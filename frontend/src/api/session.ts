import { createSelector, createSlice, type PayloadAction } from '@reduxjs/toolkit';
import { isLive } from '../domain/session';
import type { Clock } from './clock';

/** What the browser keeps of the signed-in person. */
export interface LocalUser {
  user_id: number;
  first_name: string;
  last_name: string;
  email: string;
  verified: boolean;
  scope: readonly ('view' | 'edit' | 'admin')[];
  meta?: Readonly<Record<string, unknown>>;
}

/** A bearer token. */
export interface TokenRecord {
  string: string;
  /** When it was stored, in milliseconds since 1970. */
  timestamp: number;
}

/** Why a session is over: its person has signed out, or its time was up or the server has ended it. */
export type SessionEnd = 'signedOut' | 'expired';

/** Either both a token and its user, or neither. */
export type SessionState =
  | { token: TokenRecord; user: LocalUser }
  /** `ended` is not stored: undefined if nobody has been signed in since the page was loaded. */
  | { token: null; user: null; ended?: SessionEnd };

const anonymous: SessionState = { token: null, user: null };

/** Who is signed in. The store saves it in localStorage and ends it when the token's 12 hours are over. */
export const sessionSlice = createSlice({
  name: 'session',
  initialState: (): SessionState => anonymous,
  reducers: {
    signedIn: (_, { payload }: PayloadAction<{ token: TokenRecord; user: LocalUser }>): SessionState =>
      payload,
    userChanged: (state, { payload }: PayloadAction<LocalUser>): SessionState =>
      state.token ? { token: state.token, user: payload } : state,
    sessionEnded: (state, { payload }: PayloadAction<SessionEnd>): SessionState =>
      state.token ? { token: null, user: null, ended: payload } : state,
  },
  selectors: {
    selectUser: (state) => state.user,
    selectToken: (state) => state.token,
    selectEnd: (state) => (state.token ? undefined : state.ended),
  },
});

export const { signedIn, sessionEnded, userChanged } = sessionSlice.actions;
export const { selectUser, selectToken, selectEnd } = sessionSlice.selectors;

export const selectIsSignedIn = createSelector([selectUser], (user) => user !== null);

const storageKey = 'tk-session';

/** Restores the session of an earlier visit. Removes it from storage if its token has expired. */
export function restoreSession(storage: Storage, now: Clock): SessionState {
  const kept = parse(storage.getItem(storageKey));
  if (kept?.token && isLive(kept.token.timestamp, now())) return kept;
  storage.removeItem(storageKey);
  return anonymous;
}

/** Stores the session for later visits; removes it from storage when nobody is signed in. */
export function storeSession(storage: Storage, state: SessionState): void {
  if (state.token) storage.setItem(storageKey, JSON.stringify(state));
  else storage.removeItem(storageKey);
}

function parse(text: string | null): SessionState | undefined {
  if (!text) return undefined;
  try {
    const value = JSON.parse(text) as Partial<SessionState> | null;
    const isWhole = typeof value?.token?.string === 'string' && typeof value.user?.user_id === 'number';
    return isWhole ? (value as SessionState) : undefined;
  } catch {
    // Not written by this app, or truncated: the same as no session.
    return undefined;
  }
}

/** The prefix of sessionStorage keys for personal data: what was typed into a pledge form, and the last pledge. */
export const personalKeyPrefix = 'tk-pledge';

/** The prefix of localStorage keys for texts that are not saved on the server yet. */
export const unsavedKeyPrefix = 'tk-edit';

/**
 * Removes the personal data of a person who signs out, from the tab and the device. When a session only expires, what
 * was typed is kept.
 */
export function clearPersonalData(tab: Storage, device?: Storage): void {
  const clear = (storage: Storage, prefix: string) => {
    for (const name of Object.keys(storage)) if (name.startsWith(prefix)) storage.removeItem(name);
  };
  clear(tab, personalKeyPrefix);
  if (device) clear(device, unsavedKeyPrefix);
}
