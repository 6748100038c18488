import { useSyncExternalStore } from 'react';
import { deviceStorage } from '../api/deviceStorage';

/** The theme of the page. */
export type ColorScheme = 'light' | 'dark';

// styles/first.js reads the same key and sets the same attribute before the first paint. Stylesheets select by it.
const key = 'tk-theme';
const attribute = 'data-mantine-color-scheme';

const listeners = new Set<() => void>();
const current = (): ColorScheme =>
  document.documentElement.getAttribute(attribute) === 'dark' ? 'dark' : 'light';

function show(scheme: ColorScheme) {
  document.documentElement.setAttribute(attribute, scheme);
  for (const listener of listeners) listener();
}

function chosen(): ColorScheme | undefined {
  const stored = deviceStorage.text(key);
  return stored === 'light' || stored === 'dark' ? stored : undefined;
}

/** Applies the stored choice, or without one the system's preference. */
function applyPreference() {
  const scheme = chosen();
  if (scheme) show(scheme);
  else show(window.matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
}

function subscribe(listener: () => void): () => void {
  const system = window.matchMedia('(prefers-color-scheme: dark)');
  // Another tab has changed the choice.
  const onStorage = (event: StorageEvent) => {
    if (event.key === key) applyPreference();
  };
  listeners.add(listener);
  system.addEventListener('change', applyPreference);
  window.addEventListener('storage', onStorage);
  return () => {
    listeners.delete(listener);
    system.removeEventListener('change', applyPreference);
    window.removeEventListener('storage', onStorage);
  };
}

/** The colour scheme in use. */
export const useColorScheme = () => useSyncExternalStore(subscribe, current);

/** The stored choice; undefined: as the device. */
export const useChosenColorScheme = () => useSyncExternalStore(subscribe, chosen);

/** Applies a colour scheme and stores it for later visits; undefined: as the device, now and later. */
export function chooseColorScheme(scheme: ColorScheme | undefined): void {
  if (scheme) deviceStorage.setText(key, scheme);
  else deviceStorage.remove(key);
  applyPreference();
}
