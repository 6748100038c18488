import { useState } from 'react';

/**
 * The last defined value. When a session expires the query cache is cleared; the form keeps its data until the new data
 * is loaded.
 */
export function useLastDefined<Value>(value: Value | undefined): Value | undefined {
  const [last, setLast] = useState(value);
  if (value !== undefined && value !== last) setLast(value);
  return value ?? last;
}
