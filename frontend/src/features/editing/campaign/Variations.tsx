import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import {
  useAddContentVariationMutation,
  useDeleteContentVariationMutation,
  type CampaignAdmin,
  type NewContentVariation,
} from '../../../api/editing';
import { languages } from '../../../domain/languages';
import { paths } from '../../../domain/paths';
import { useLanguage } from '../../../i18n';
import { Button } from '../../../ui/Button';
import { TrashIcon } from '../../../ui/editIcons';
import { FaultText } from '../../../ui/FaultText';
import { SelectField, TextField } from '../../../ui/fields';
import { IconButton } from '../../../ui/IconButton';
import { Picture } from '../../../ui/Picture';
import { ImageUpload } from '../../../ui/images/ImageUpload';
import { languageNames } from '../languageNames';
import { cover } from '../pictures/sizes';
import { useAct } from '../useAct';
import { useEditor } from './useCampaignEditor';
import { FieldErrorText } from './FieldErrorText';
import { maxLengths } from './parts';
import { SidePanel } from './SidePanel';
import classes from './Variations.module.css';

const fields: readonly NewContentVariation['field'][] = ['tagline', 'title', 'project_pic'];

/** The most variations besides the campaign's own; the server's bound. */
const maxVariations = 4;

/** The variations under test, without their counts, which change without anybody's edit. */
const shownIn = ({ content_experiment: running }: CampaignAdmin) =>
  running?.variations.map(({ variation, value }) => [variation, value]);

/** An A/B test: another title, tagline or cover that some visitors see, to learn which brings more backers. */
export function Variations() {
  const { t } = useTranslation();
  const pageLanguage = useLanguage();
  const { admin, campaignId, language: written, act } = useEditor();
  const running = admin.content_experiment;
  const [add] = useAddContentVariationMutation();
  const [remove] = useDeleteContentVariationMutation();
  const { run, failure, isBusy } = useAct(act, shownIn);
  const [typed, setTyped] = useState('');
  const [isMissing, setMissing] = useState(false);
  const [chosen, setField] = useState(fields[0] ?? 'tagline');
  // One field is tested at a time, a text in one language.
  const field = running?.field ?? chosen;
  const language = languages.find((one) => one === running?.language) ?? written;
  const isFull = (running?.variations.length ?? 0) > maxVariations;
  const send = (value: string) =>
    run((ifMatch) =>
      add({ campaignId, 'If-Match': ifMatch, newContentVariation: { field, language, value: value.trim() } }),
    );
  return (
    <SidePanel
      title={t('editing.campaign.variations.title')}
      id="variations"
      help={t('editing.campaign.variations.help')}
    >
      {running && (
        <ul className={classes.list}>
          {running.variations.map(({ variation, letter, value }) => (
            <li key={variation} className={classes.variation}>
              <b className={classes.letter}>{letter}</b>
              {field === 'project_pic' ? (
                <span className={classes.picture}>
                  <Picture
                    name={value}
                    alt=""
                    ratio={cover.ratio}
                    widths={[160]}
                    sizes="7.5rem"
                    shape="thumb"
                  />
                </span>
              ) : (
                <span lang={language}>{value}</span>
              )}
              {variation > 0 && (
                <IconButton
                  look="tool"
                  label={t('editing.campaign.variations.remove', { letter })}
                  icon={<TrashIcon />}
                  disabled={isBusy}
                  onClick={() =>
                    void run((ifMatch) => remove({ campaignId, 'If-Match': ifMatch, variation }))
                  }
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
          data={fields.map((one) => ({
            value: one,
            label: t(one === 'project_pic' ? 'editing.pictures.cover' : `editing.campaign.part.${one}`),
          }))}
          onChange={({ currentTarget }) =>
            setField(fields.find((one) => one === currentTarget.value) ?? 'tagline')
          }
        />
      )}
      {!isFull && field === 'project_pic' && (
        <ImageUpload
          of={{ campaignId }}
          ratio={cover.ratio}
          minWidth={cover.minWidth}
          help={t('editing.pictures.coverHelp')}
          onStored={({ name }) => void send(name)}
        />
      )}
      {!isFull && field !== 'project_pic' && (
        <form
          className={classes.form}
          onSubmit={(event) => {
            event.preventDefault();
            setMissing(typed.trim() === '');
            // What has been typed while it was added stays.
            if (typed.trim() !== '')
              void send(typed).then((error) => error ?? setTyped((now) => (now === typed ? '' : now)));
          }}
        >
          <TextField
            label={t('editing.campaign.variations.words', { language: languageNames[language] })}
            lang={language}
            maxLength={maxLengths[field]}
            value={typed}
            error={isMissing && typed.trim() === '' && <FaultText fault={{ key: 'required' }} />}
            onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          />
          <Button type="submit" size="sm" variant="light" loading={isBusy}>
            {t('editing.campaign.variations.add')}
          </Button>
        </form>
      )}
      <FieldErrorText error={failure} />
      {running && (
        <Link to={paths.campaignMode(pageLanguage, { id: campaignId, slug: admin.slug }, 'overview')}>
          {t('editing.campaign.variations.results')}
        </Link>
      )}
    </SidePanel>
  );
}
