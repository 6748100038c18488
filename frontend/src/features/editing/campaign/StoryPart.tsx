import { useTranslation } from 'react-i18next';
import { RichText } from '../richText/RichText';
import { Conflict } from './Conflict';
import { useEditor } from './useCampaignEditor';
import { EditPart } from './EditPart';
import { FieldErrorText } from './FieldErrorText';
import { usePart } from './usePart';

/** The story in the selected language. */
export function StoryPart() {
  const { t } = useTranslation();
  const { language, remounts, campaignId, arrivalsOf } = useEditor();
  const name = `${language}.json_description` as const;
  const { value, refusal, onChange, onLeave } = usePart(name);
  return (
    <EditPart name={t('editing.campaign.part.story')} id="story" place={name} reviewPart="story">
      <Conflict place="story" />
      <RichText
        key={`${name}-${remounts[name] ?? 0}`}
        label={t('editing.campaign.part.story')}
        doc={value}
        lang={language}
        placeholder={t('editing.campaign.empty.story')}
        pictures={{ campaignId }}
        hasSound
        onChange={onChange}
        onLeave={onLeave}
        arrivals={arrivalsOf(name)}
      />
      <FieldErrorText error={refusal} />
    </EditPart>
  );
}
