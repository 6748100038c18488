import { useSyncExternalStore } from 'react';
import { loadFailureStore, type LoadFailure } from './loadWithRetry';

/** The loads that are failing now; rerenders when they change. */
export function useLoadFailures(): readonly LoadFailure[] {
  return useSyncExternalStore(loadFailureStore.subscribe, loadFailureStore.get);
}
