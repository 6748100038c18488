import type { ReactNode } from 'react';
import type { Named } from '../../../domain/paths';
import { useWritePost } from '../../../ui/modes/useWritePost';

export interface WritePostProps {
  campaign: Named;
  /** Renders the button. `isBusy`: the draft is being loaded or created. */
  children: (write: () => void, isBusy: boolean) => ReactNode;
}

/** useWritePost as a component, for callers that need it only for some campaigns. */
export function WritePost({ campaign, children }: WritePostProps) {
  const { write, isBusy } = useWritePost(campaign);
  return children(write, isBusy);
}
