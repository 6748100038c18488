import { plainText } from '../richText/document';
import { TwoVersions } from '../TwoVersions';
import { useWriting } from './context';
import { conflictId } from './useGoToPart';
import { partsOf, type CampaignParts, type PartName } from './parts';

/** Asks which version to keep of a part that two people have changed. Empty without a conflict. */
export function Conflict() {
  const { question, parts, keepMine, keepTheirs } = useWriting();
  if (!question) return null;
  const { part, theirs, who, at } = question;
  return (
    <div id={conflictId}>
      <TwoVersions
        who={who}
        at={at}
        mine={wordsOf(parts, part)}
        theirs={wordsOf(partsOf(theirs), part)}
        onKeepMine={keepMine}
        onKeepTheirs={keepTheirs}
      />
    </div>
  );
}

function wordsOf(parts: CampaignParts, part: PartName): string {
  const value = parts[part];
  if (Array.isArray(value)) return value.map((one) => (typeof one === 'number' ? one : one.label)).join(', ');
  return typeof value === 'object' ? plainText(value) : String(value);
}
