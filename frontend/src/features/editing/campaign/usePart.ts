import { kindOf, type CampaignParts, type PartName } from './parts';
import { useEditor } from './useCampaignEditor';

/** A part's value and handlers for its field. It is saved when the field loses the focus, and undone as one change. */
export function usePart<Name extends PartName>(name: Name) {
  const { admin, parts, write, leave, refused } = useEditor();
  return {
    value: parts[name],
    /** The server's error, if it rejected the value. */
    refusal: refused[name],
    /** The server takes no other value any more. */
    isFixed: kindOf(admin, name) === 'fixed',
    onChange: (value: CampaignParts[Name]) => write(name, value),
    onLeave: leave,
  };
}
