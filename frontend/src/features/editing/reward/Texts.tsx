import { useTranslation } from 'react-i18next';
import { languages, type Language } from '../../../domain/languages';
import { FaultText } from '../../../ui/FaultText';
import { TextareaField, TextField } from '../../../ui/fields';
import { languageNames } from '../languageNames';
import { LanguageSegments } from '../LanguageSegments';
import { isNew } from './draft';
import classes from './RewardEditor.module.css';
import type { SectionProps } from './RewardForm';
import { Section } from './Section';

/** Title and description in two languages side by side. On phones in one, with the main language's texts as help. */
export function Texts({
  editor,
  main,
  second,
  isPhone,
  onSecond,
}: SectionProps & { onSecond: (to: Language) => void }) {
  const { t } = useTranslation();
  const { base, draft, write, faults } = editor;
  const missing = languages.filter((one) => draft.title[one].trim() === '');
  const fields = (language: Language, help: boolean) => (
    <>
      <TextField
        label={t('editing.reward.title', { language: languageNames[language] })}
        help={help && draft.title[main] ? draft.title[main] : undefined}
        error={language === (isPhone ? second : main) && faults.title && <FaultText fault={faults.title} />}
        data-autofocus={!isPhone && isNew(base) && language === main ? true : undefined}
        lang={language}
        value={draft.title[language]}
        maxLength={80}
        onChange={({ currentTarget: { value } }) => write({ title: { ...draft.title, [language]: value } })}
      />
      <TextareaField
        label={t('editing.reward.description', { language: languageNames[language] })}
        help={help && draft.description[main] ? draft.description[main] : undefined}
        lang={language}
        autosize
        minRows={3}
        value={draft.description[language]}
        maxLength={2000}
        onChange={({ currentTarget: { value } }) =>
          write({ description: { ...draft.description, [language]: value } })
        }
      />
    </>
  );
  const segments = (
    <LanguageSegments
      value={second}
      onChange={onSecond}
      missing={missing}
      among={isPhone ? languages : languages.filter((one) => one !== main)}
      isWide={isPhone}
    />
  );
  return (
    <Section title={t('editing.reward.texts')} note={isPhone ? undefined : t('editing.reward.textsNote')}>
      {isPhone ? (
        <div className={classes.stack}>
          {segments}
          {fields(second, second !== main)}
        </div>
      ) : (
        <div className={classes.pair}>
          <p className={classes.side}>
            <b lang={main}>{languageNames[main]}</b> <span>{t('editing.reward.first')}</span>
          </p>
          <div>{segments}</div>
          <div className={classes.stack}>{fields(main, false)}</div>
          <div className={classes.stack}>{fields(second, false)}</div>
        </div>
      )}
      {missing.length > 0 && missing.length < languages.length && (
        <p className={classes.missing}>
          <span className={classes.dot} aria-hidden="true" />
          {t('editing.reward.missing', { languages: missing.map((one) => languageNames[one]).join(', ') })}
        </p>
      )}
    </Section>
  );
}
