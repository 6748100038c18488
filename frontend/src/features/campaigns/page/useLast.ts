import { useState } from 'react';

/**
 * The value, or while it is being asked again the last there was for the same key. Signing in empties the cache; the
 * page stays as it is meanwhile.
 */
export function useLast<T>(value: T | undefined, key: string): T | undefined {
  const [last, setLast] = useState({ key, value });
  if (value !== undefined && (last.value !== value || last.key !== key)) setLast({ key, value });
  return value ?? (last.key === key ? last.value : undefined);
}
