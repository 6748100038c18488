import type { ReactNode } from 'react';
import type { Named } from '../../../domain/paths';
import { useWritePost } from '../../../ui/modes/useWritePost';

export interface WritePostProps {
  campaign: Named;
  /** The button; `isBusy` while the draft is looked for or made. */
  children: (write: () => void, isBusy: boolean) => ReactNode;
}

/** The way to the draft of an update, for a row that has it only sometimes. */
export function WritePost({ campaign, children }: WritePostProps) {
  const { write, isBusy } = useWritePost(campaign);
  return children(write, isBusy);
}
