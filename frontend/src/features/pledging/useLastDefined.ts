import { useState } from 'react';

/**
 * The last defined value. When an editor's session ends, the cache is cleared; a form keeps its data until the new data
 * is loaded.
 */
export function useLastDefined<Value>(value: Value | undefined): Value | undefined {
  const [last, setLast] = useState(value);
  if (value !== undefined && value !== last) setLast(value);
  return value ?? last;
}
