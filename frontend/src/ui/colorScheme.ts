import { useSyncExternalStore } from 'react';

export type ColorScheme = 'light' | 'dark';

// styles/first.js reads and writes the same before the first paint; the attribute is what stylesheets ask.
const key = 'tk-theme';
const attribute = 'data-mantine-color-scheme';

const listeners = new Set<() => void>();
const current = (): ColorScheme =>
  document.documentElement.getAttribute(attribute) === 'dark' ? 'dark' : 'light';

function show(scheme: ColorScheme) {
  document.documentElement.setAttribute(attribute, scheme);
  for (const listener of listeners) listener();
}

/** What was chosen here, in another tab too; else what the system prefers. */
function decide() {
  const chosen = read();
  if (chosen === 'light' || chosen === 'dark') show(chosen);
  else show(window.matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
}

function read(): string | null {
  try {
    return window.localStorage.getItem(key);
  } catch {
    return null; // storage is off
  }
}

function subscribe(listener: () => void): () => void {
  const system = window.matchMedia('(prefers-color-scheme: dark)');
  const hear = (event: StorageEvent) => {
    if (event.key === key) decide();
  };
  listeners.add(listener);
  system.addEventListener('change', decide);
  window.addEventListener('storage', hear);
  return () => {
    listeners.delete(listener);
    system.removeEventListener('change', decide);
    window.removeEventListener('storage', hear);
  };
}

/** The theme that is shown. */
export const useColorScheme = () => useSyncExternalStore(subscribe, current);

/** Shows a theme from now on, on later visits too. */
export function chooseColorScheme(scheme: ColorScheme): void {
  try {
    window.localStorage.setItem(key, scheme);
  } catch {
    // Storage is off: it holds for this page.
  }
  show(scheme);
}
