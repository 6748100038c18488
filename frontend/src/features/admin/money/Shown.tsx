import type { ReactNode } from 'react';
import { Unread, type Read } from '../../../ui/Unread';

export interface ShownProps<Data> {
  query: Read & { currentData?: Data };
  children: (data: Data) => ReactNode;
}

/** What was asked for; until it has come, lines in its place, and when it does not come, why. */
export function Shown<Data>({ query, children }: ShownProps<Data>) {
  const { currentData } = query;
  return currentData === undefined ? (
    <Unread of={query} where="MoneyPage" lines={10} />
  ) : (
    children(currentData)
  );
}
