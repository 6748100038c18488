import { useState } from 'react';

/**
 * The last value there was. The end of an editor's session empties the caches; a form goes on with
 * what it had until the new data is there.
 */
export function useLastDefined<Value>(value: Value | undefined): Value | undefined {
  const [last, setLast] = useState(value);
  if (value !== undefined && value !== last) setLast(value);
  return value ?? last;
}
