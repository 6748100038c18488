import { useSyncExternalStore } from 'react';
import { troubleStore, type Trouble } from './untilLoaded';

/** What the app waits for in vain, as it changes. */
export function useTroubles(): readonly Trouble[] {
  return useSyncExternalStore(troubleStore.subscribe, troubleStore.get);
}
