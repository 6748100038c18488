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

export interface TokenRecord {
  string: string;
  /** When it was stored, in milliseconds. */
  timestamp: number;
}

export type SessionState = { token: TokenRecord; user: LocalUser } | { token: null; user: null };

const anonymous: SessionState = { token: null, user: null };

/** Who is signed in. The store keeps it in the browser's storage and ends it when the token's 12 hours are over. */
export const sessionSlice = createSlice({
  name: 'session',
  initialState: (): SessionState => anonymous,
  reducers: {
    signedIn: (_, { payload }: PayloadAction<{ token: TokenRecord; user: LocalUser }>): SessionState =>
      payload,
    userChanged: (state, { payload }: PayloadAction<LocalUser>): SessionState =>
      state.token ? { token: state.token, user: payload } : state,
    signedOut: (): SessionState => anonymous,
  },
  selectors: {
    selectUser: (state) => state.user,
    selectToken: (state) => state.token,
  },
});

export const { signedIn, signedOut, userChanged } = sessionSlice.actions;
export const { selectUser, selectToken } = sessionSlice.selectors;

export const selectIsSignedIn = createSelector([selectUser], (user) => user !== null);

const storageKey = 'tk-session';

/** The session of an earlier visit, if its token still lives; what is left of a dead one is removed. */
export function restoreSession(storage: Storage, now: Clock): SessionState {
  const kept = parse(storage.getItem(storageKey));
  if (kept?.token && isLive(kept.token.timestamp, now())) return kept;
  storage.removeItem(storageKey);
  return anonymous;
}

export function keepSession(storage: Storage, state: SessionState): void {
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
    // Not ours or cut short: the same as no session.
    return undefined;
  }
}

/** What a tab keeps of a person begins so: what they typed into a pledge's form, and the pledge they made last. */
export const personal = 'tk-pledge';

/** What the device keeps of a person's unsaved writing begins so; the writer's id and the text's name follow. */
export const unsavedWriting = 'tk-edit';

/**
 * Forgets what the tab and the device keep of a person who signs out; a session that only ran out takes nothing that was
 * typed.
 */
export function forgetPerson(tab: Storage, device?: Storage): void {
  const forget = (storage: Storage, beginning: string) => {
    for (const name of Object.keys(storage)) if (name.startsWith(beginning)) storage.removeItem(name);
  };
  forget(tab, personal);
  if (device) forget(device, unsavedWriting);
}
