import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  useAddContentVariationMutation,
  useDeleteContentVariationMutation,
  type NewContentVariation,
} from '../../../api/editing';
import { Button } from '../../../ui/Button';
import { TrashIcon } from '../../../ui/editIcons';
import { SelectField, TextField } from '../../../ui/fields';
import { IconButton } from '../../../ui/IconButton';
import { useWriting } from './context';
import { FieldTrouble } from './FieldTrouble';
import { longest } from './parts';
import { SidePanel } from './SidePanel';
import classes from './Team.module.css';
import { useCall } from './useCall';

type WordsField = Exclude<NewContentVariation['field'], 'project_pic'>;
const fields: readonly WordsField[] = ['tagline', 'title'];

/** Other words that some visitors see instead, to learn which bring more backers. */
export function Variations() {
  const { t } = useTranslation();
  const { admin, campaignId, language } = useWriting();
  const running = admin.content_experiment;
  const [add] = useAddContentVariationMutation();
  const [remove] = useDeleteContentVariationMutation();
  const { run, failure, isBusy } = useCall();
  const [value, setValue] = useState('');
  const [chosen, setField] = useState<WordsField>('tagline');
  // One thing is tried at a time.
  const field = running && running.field !== 'project_pic' ? running.field : chosen;
  const send = async () => {
    const isDone = await run(() =>
      add({ campaignId, newContentVariation: { field, language, value: value.trim() } }),
    );
    if (isDone) setValue('');
  };
  return (
    <SidePanel
      title={t('editing.campaign.variations.title')}
      id="variations"
      help={t('editing.campaign.variations.help')}
    >
      {running && (
        <ul className={classes.list}>
          {running.variations.map(({ variation, letter, value: words }) => (
            <li key={variation} className={classes.member}>
              <span className={classes.who} lang={running.language}>
                <b>{letter}</b>
                <span>{words}</span>
              </span>
              {variation > 0 && (
                <IconButton
                  look="tool"
                  label={t('editing.campaign.variations.remove', { letter })}
                  icon={<TrashIcon />}
                  onClick={() => void run(() => remove({ campaignId, variation }))}
                />
              )}
            </li>
          ))}
        </ul>
      )}
      {!running && (
        <SelectField
          label={t('editing.campaign.variations.field')}
          value={chosen}
          data={fields.map((one) => ({ value: one, label: t(`editing.campaign.part.${one}`) }))}
          onChange={({ currentTarget }) =>
            setField(fields.find((one) => one === currentTarget.value) ?? 'tagline')
          }
        />
      )}
      {running?.field !== 'project_pic' && (
        <TextField
          label={t('editing.campaign.variations.words')}
          lang={language}
          maxLength={longest[field]}
          value={value}
          onChange={({ currentTarget }) => setValue(currentTarget.value)}
        />
      )}
      <FieldTrouble error={failure} />
      {value.trim() !== '' && (
        <Button size="sm" variant="light" loading={isBusy} onClick={() => void send()}>
          {t('editing.campaign.variations.add')}
        </Button>
      )}
    </SidePanel>
  );
}
