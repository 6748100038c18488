import { useTranslation } from 'react-i18next';
import type { ReviewPart } from '../../../api/editing';
import { TitleField } from '../../../ui/TitleField';
import { AskHeld } from './Approved';
import { Conflict } from './Conflict';
import { useEditor } from './useCampaignEditor';
import { EditPart } from './EditPart';
import { FieldErrorText } from './FieldErrorText';
import { maxLengths, type WordField } from './parts';
import { usePart } from './usePart';

export interface TextPartProps {
  field: WordField;
  /** The part's name in a review. */
  reviewPart?: ReviewPart;
  /** Its size on the page. */
  look?: 'page' | 'lead' | 'text';
}

/** A text of the campaign in the selected language, in the size in which visitors see it. */
export function TextPart({ field, reviewPart, look = 'text' }: TextPartProps) {
  const { t } = useTranslation();
  const { language } = useEditor();
  const { value, refusal, onChange, onLeave } = usePart(`${language}.${field}`);
  const name = t(`editing.campaign.part.${field}`);
  return (
    <EditPart name={name} id={field} place={`${language}.${field}`} reviewPart={reviewPart}>
      <Conflict place={field} />
      <TitleField
        label={name}
        look={look}
        hasLines={look === 'text'}
        lang={language}
        value={value}
        maxLength={maxLengths[field]}
        placeholder={t(`editing.campaign.empty.${field}`)}
        onChange={onChange}
        onLeave={onLeave}
      />
      <AskHeld parts={[`${language}.${field}`]} />
      <FieldErrorText error={refusal} />
    </EditPart>
  );
}
