import { useTranslation } from 'react-i18next';
import { languageNames } from '../languageNames';
import { plainText } from '../richText/document';
import { TwoVersions } from '../TwoVersions';
import { ofLanguage } from '../partNames';
import { useEditor } from './useCampaignEditor';
import { nameOf } from './historyTexts';
import { partsOf, type CampaignParts, type PartName } from './parts';
import { placeOf } from './useGoToPart';

/** Asks which version to keep of a part at this place that two people have changed. Empty without a conflict there. */
export function Conflict({ place }: { place: string }) {
  const { t } = useTranslation();
  const { question, parts, keepMine, keepTheirs } = useEditor();
  if (!question || placeOf(question.part) !== place) return null;
  const { part, theirs, who, at } = question;
  const text = ofLanguage(part);
  const name = nameOf(text?.field ?? part);
  return (
    <div data-question="">
      <TwoVersions
        part={[name && t(name), text && languageNames[text.language]].filter(Boolean).join(' · ')}
        who={who}
        at={at || undefined}
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
