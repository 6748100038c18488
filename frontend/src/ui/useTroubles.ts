import { useSyncExternalStore } from 'react';
import { troubleStore, type Trouble } from './untilLoaded';

/** The loads that keep failing and are being retried; the component is drawn again when they change. */
export function useTroubles(): readonly Trouble[] {
  return useSyncExternalStore(troubleStore.subscribe, troubleStore.get);
}
