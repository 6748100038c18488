import { useRef } from 'react';
import { useWriting } from './context';
import { kindOf, type CampaignParts, type PartName } from './parts';

/** A part's value and handlers for its field. It is saved when the field loses the focus, and undone as one change. */
export function usePart<Name extends PartName>(name: Name) {
  const { admin, parts, write, leave, refused } = useWriting();
  const before = useRef<CampaignParts[Name]>(undefined);
  return {
    value: parts[name],
    /** The server's error, if it rejected the value. */
    refusal: refused[name],
    /** The server takes no other value any more. */
    isFixed: kindOf(admin, name) === 'fixed',
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
