import { useTranslation } from 'react-i18next';
import type { ReviewPart } from '../../../api/editing';
import { TitleField } from '../../../ui/TitleField';
import { useWriting } from './context';
import { EditPart } from './EditPart';
import { FieldTrouble } from './FieldTrouble';
import { longest, type WordField } from './parts';
import { usePart } from './usePart';

export interface TextPartProps {
  field: WordField;
  /** As reviewers know it. */
  noted?: ReviewPart;
  /** Its size on the page. */
  look?: 'page' | 'lead' | 'text';
}

/** A text of the campaign, in the language that is being written, as large as readers see it. */
export function TextPart({ field, noted, look = 'text' }: TextPartProps) {
  const { t } = useTranslation();
  const { language } = useWriting();
  const { value, refusal, onEnter, onChange, onLeave } = usePart(`${language}.${field}`);
  const name = t(`editing.campaign.part.${field}`);
  return (
    <EditPart name={name} id={field} noted={noted}>
      <TitleField
        label={name}
        look={look}
        hasLines={look === 'text'}
        lang={language}
        value={value}
        maxLength={longest[field]}
        placeholder={t(`editing.campaign.empty.${field}`)}
        onEnter={onEnter}
        onChange={onChange}
        onLeave={onLeave}
      />
      <FieldTrouble error={refusal} />
    </EditPart>
  );
}
