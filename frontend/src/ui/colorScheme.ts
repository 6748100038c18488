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

/** Applies the stored choice, or without one the system's preference. */
function applyPreference() {
  const chosen = deviceStorage.text(key);
  if (chosen === 'light' || chosen === 'dark') show(chosen);
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

/** Applies a colour scheme and stores it for later visits. */
export function chooseColorScheme(scheme: ColorScheme): void {
  deviceStorage.setText(key, scheme);
  show(scheme);
}
