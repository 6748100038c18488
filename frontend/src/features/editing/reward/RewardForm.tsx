import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { languages, type Language } from '../../../domain/languages';
import { useLanguage } from '../../../i18n';
import { formatMoney } from '../../../i18n/format';
import { TextField } from '../../../ui/fields';
import { Picture } from '../../../ui/Picture';
import { ImageUpload } from '../../../ui/images/ImageUpload';
import { languageNames } from '../languageNames';
import { TwoVersions } from '../TwoVersions';
import { Costs } from './Costs';
import { draftOf, type RewardDraft } from './draft';
import { PriceAndStock } from './PriceAndStock';
import { Questions } from './Questions';
import classes from './RewardEditor.module.css';
import { RewardPreview } from './RewardPreview';
import { Section } from './Section';
import { Visibility } from './Visibility';
import { Texts } from './Texts';
import type { RewardEditing } from './useRewardEditor';

/** What every section of the form gets. */
export interface SectionProps {
  editor: RewardEditing;
  /** The language of the left column: the page's, or the first one that has a title. */
  main: Language;
  /** The language of the right column. On phones it is the only column, and may be `main`. */
  second: Language;
  isPhone: boolean;
}

export interface RewardFormProps {
  editor: RewardEditing;
  language: Language;
  isPhone: boolean;
  onDeleted: () => void;
}

/** Of a reward's picture: width over height, and the least width in pixels. */
const ratio = 2.5;
const minWidth = 1200;

/** The form of a reward, with a preview of its card beside it. */
export function RewardForm({ editor, language, isPhone, onDeleted }: RewardFormProps) {
  const { t } = useTranslation();
  const pageLanguage = useLanguage();
  const { base, draft, write, other, keepMine, keepTheirs } = editor;
  const [main] = useState(() =>
    draft.title[language] ? language : (languages.find((one) => draft.title[one] !== '') ?? language),
  );
  const [chosen, setSecond] = useState<Language>();
  const others = languages.filter((one) => one !== main);
  const second = chosen ?? (isPhone ? main : (others[0] ?? main));
  const part = { editor, main, second, isPhone };
  return (
    <div className={classes.columns}>
      <div className={classes.form}>
        {other && (
          <TwoVersions
            who=""
            mine={<Summary draft={draft} language={main} />}
            theirs={<Summary draft={draftOf(other, pageLanguage)} language={main} />}
            onKeepMine={keepMine}
            onKeepTheirs={keepTheirs}
          />
        )}
        <Texts {...part} onSecond={setSecond} />
        <PriceAndStock {...part} />
        <Costs {...part} />
        <Questions {...part} />
        <Section title={t('editing.reward.picture')}>
          <ImageUpload
            of={{ campaignId: base.campaign_id }}
            ratio={ratio}
            minWidth={minWidth}
            help={t('editing.reward.pictureHelp')}
            onStored={({ name }) => write({ image: name })}
            onRemove={() => write({ image: '' })}
          >
            {draft.image && (
              <Picture name={draft.image} alt="" ratio={ratio} widths={[400]} sizes="12.5rem" shape="thumb" />
            )}
          </ImageUpload>
          {draft.image && (
            <div className={isPhone ? classes.alts : classes.altPair}>
              {(isPhone ? [second] : [main, second]).map((one, column) => (
                <TextField
                  key={one}
                  label={t('editing.reward.alt', { language: languageNames[one] })}
                  help={column === 0 && t('editing.picture.altHelp')}
                  lang={one}
                  value={draft.imageAlt[one]}
                  maxLength={300}
                  onChange={({ currentTarget: { value } }) =>
                    write({ imageAlt: { ...draft.imageAlt, [one]: value } })
                  }
                />
              ))}
            </div>
          )}
        </Section>
        <Visibility editor={editor} onDeleted={onDeleted} />
      </div>
      <aside className={classes.preview} aria-label={t('editing.reward.asBacker')}>
        <p className={classes.small}>{t('editing.reward.asBacker')}</p>
        <RewardPreview draft={draft} reward={base} language={main} />
      </aside>
    </div>
  );
}

/** A version of the reward in a few lines, for the choice between two. */
function Summary({ draft, language }: { draft: RewardDraft; language: Language }) {
  const pageLanguage = useLanguage();
  const price = formatMoney(pageLanguage, Number(draft.amount) || 0, { cents: false });
  return (
    <>
      <b>{draft.title[language]}</b>
      {`\n${price}${draft.stock && ` · ${draft.stock}`}\n${draft.description[language]}`}
    </>
  );
}
