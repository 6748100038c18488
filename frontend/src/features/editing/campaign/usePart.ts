import { useRef } from 'react';
import { useWriting } from './context';
import type { CampaignParts, PartName } from './parts';

/** One part of a campaign as a field has it: saved when it is left, and undone as one change. */
export function usePart<Name extends PartName>(name: Name) {
  const { parts, write, leave, refused } = useWriting();
  const before = useRef<CampaignParts[Name]>(undefined);
  return {
    value: parts[name],
    /** Why the server does not take it as it is. */
    refusal: refused[name],
    onEnter: () => {
      before.current ??= parts[name];
    },
    onChange: (value: CampaignParts[Name]) => {
      before.current ??= parts[name];
      write(name, value);
    },
    onLeave: () => {
      leave(name, before.current);
      before.current = undefined;
    },
  };
}
