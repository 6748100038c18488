import { createSelector, createSlice, type PayloadAction } from '@reduxjs/toolkit';
import { isLive } from '../domain/session';
import type { Clock } from './clock';
import { deviceStorage, parsed, tabStorage, type DeviceStorage } from './deviceStorage';

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
  /**
   * `ended` is not stored: undefined if nobody has been signed in since the page was loaded. `email` is whose session has
   * expired, so that they need not type it again.
   */
  | { token: null; user: null; ended?: SessionEnd; email?: string };

const anonymous: SessionState = { token: null, user: null };

/** Who has signed out leaves nothing of themself. */
const emailAt = (end: SessionEnd, user: LocalUser | null) => (end === 'expired' ? user?.email : undefined);

/** Who is signed in. The store saves it on the device and ends it when the token's 12 hours are over. */
export const sessionSlice = createSlice({
  name: 'session',
  initialState: (): SessionState => anonymous,
  reducers: {
    signedIn: (_, { payload }: PayloadAction<{ token: TokenRecord; user: LocalUser }>): SessionState =>
      payload,
    userChanged: (state, { payload }: PayloadAction<LocalUser>): SessionState =>
      state.token ? { token: state.token, user: payload } : state,
    /** Who presses "sign out" after the session has expired has signed out, too. */
    sessionEnded: (state, { payload }: PayloadAction<SessionEnd>): SessionState =>
      state.token || (state.ended && payload === 'signedOut')
        ? { token: null, user: null, ended: payload, email: emailAt(payload, state.user) }
        : state,
  },
  selectors: {
    selectUser: (state) => state.user,
    selectToken: (state) => state.token,
    selectEnd: (state) => (state.token ? undefined : state.ended),
    selectEndedEmail: (state) => (state.token ? undefined : state.email),
  },
});

export const { signedIn, sessionEnded, userChanged } = sessionSlice.actions;
export const { selectUser, selectToken, selectEnd, selectEndedEmail } = sessionSlice.selectors;

/** Whether somebody is signed in here. */
export const selectIsSignedIn = createSelector([selectUser], (user) => user !== null);

const storageKey = 'tk-session';

/**
 * Restores the session of an earlier visit. One whose token has expired is removed from storage and is over: its person
 * is told so.
 */
export function restoreSession(now: Clock): SessionState {
  const kept = deviceStorage.json(storageKey, isLiveSession);
  if (kept && isLive(kept.token.timestamp, now())) return kept;
  deviceStorage.remove(storageKey);
  return kept ? { token: null, user: null, ended: 'expired', email: kept.user.email } : anonymous;
}

/**
 * Stores the session for later visits, and removes it when it is over. Somebody may have signed in in another tab
 * meanwhile: their session stays.
 */
export function storeSession(state: SessionState, before: SessionState): void {
  if (state.token) deviceStorage.setJson(storageKey, state);
  else if (deviceStorage.json(storageKey, isLiveSession)?.token.string === before.token?.string) {
    // Other tabs get an event for each of the two writes, see readElsewhere.
    if (state.ended === 'signedOut') deviceStorage.setText(storageKey, signedOutMark);
    deviceStorage.remove(storageKey);
  }
}

/** Stands in storage for a moment, so that other tabs can tell a sign-out from the end of a session. */
const signedOutMark = 'signed-out';

/** The action that follows what another tab has stored. Undefined if the event is about something else. */
export function readElsewhere({ key, newValue }: StorageEvent, now: Clock) {
  if (key !== storageKey && key !== null) return undefined; // null: everything was removed
  const session = parsed(newValue, isLiveSession);
  if (session && isLive(session.token.timestamp, now())) return sessionSlice.actions.signedIn(session);
  return sessionSlice.actions.sessionEnded(newValue === signedOutMark ? 'signedOut' : 'expired');
}

type LiveSession = Extract<SessionState, { user: LocalUser }>;

function isLiveSession(value: unknown): value is LiveSession {
  const { token, user } = (value ?? {}) as Partial<LiveSession>;
  return typeof token?.string === 'string' && typeof user?.user_id === 'number';
}

/** The prefix of the tab's keys for personal data: what was typed into a pledge form, the last pledge, and those not paid yet. */
export const personalKeyPrefix = 'tk-pledge';

/** The prefix of the device's keys for texts that are not saved on the server yet. */
export const unsavedKeyPrefix = 'tk-edit';

/** The prefix of the device's keys for payments that nobody knows the end of yet, by campaign and person. */
const underWayKeyPrefix = 'tk-under-way';

/** Whose such a key is: an account's, by its number, or a guest's, which holds what opens the payment. */
export const underWayKey = (campaignId: number, userId: number | undefined) =>
  `${underWayKeyPrefix}-${campaignId}-${userId ?? guest}`;

const guest = 'guest';

/**
 * Removes the personal data of a person who signs out, from the tab and the device. When a session only expires, what
 * was typed is kept. What an account has under way stays: it is asked about once that account is signed in again, and
 * opens nothing without. A guest's has the token, which would let the next person in. isErased: the account is no more.
 */
export function clearPersonalData(isErased = false): void {
  clear(tabStorage, personalKeyPrefix);
  clear(deviceStorage, unsavedKeyPrefix);
  clear(deviceStorage, underWayKeyPrefix, isErased ? '' : `-${guest}`);
}

function clear(storage: DeviceStorage, prefix: string, suffix = ''): void {
  for (const name of storage.names())
    if (name.startsWith(prefix) && name.endsWith(suffix)) storage.remove(name);
}

const ownerKey = `${personalKeyPrefix}-owner`;

/** Removes what the tab has kept of an earlier person, whose session has expired, when somebody else signs in. */
export function claimTab({ user_id }: LocalUser): void {
  const owner = tabStorage.text(ownerKey);
  if (owner !== undefined && owner !== String(user_id)) clear(tabStorage, personalKeyPrefix);
  tabStorage.setText(ownerKey, String(user_id));
}
