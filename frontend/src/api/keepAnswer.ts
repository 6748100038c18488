import { selectUser, type SessionState } from './session';

/** What a change's onQueryStarted is given. */
export interface Started<A> {
  dispatch: (action: unknown) => unknown;
  getState: () => unknown;
  queryFulfilled: Promise<{ data: A }>;
}

/**
 * Puts what a change has answered into what was read, so that it is shown at once and not when that has been read again: nobody
 * reads that it is done beside what was before, or presses once more. Not when another person has signed in meanwhile.
 */
export function keepAnswer<A>({ getState, queryFulfilled }: Started<A>, put: (answer: A) => void): void {
  const reader = () => selectUser(getState() as { session: SessionState })?.user_id;
  const asked = reader();
  queryFulfilled.then(
    ({ data }) => {
      if (reader() === asked) put(data);
    },
    () => undefined, // The caller shows it.
  );
}
