import { useTranslation } from 'react-i18next';
import { languages, type Language } from '../../domain/languages';
import { Segments } from '../../ui/Segments';
import { languageNames } from './languageNames';
import classes from './LanguageSegments.module.css';

export interface LanguageSegmentsProps {
  value: Language;
  onChange: (language: Language) => void;
  /** Those that have no text yet. They get a dot, which is said in words too. */
  missing: readonly Language[];
  /** All of them without it. */
  among?: readonly Language[];
  isWide?: boolean;
}

/** In which language one writes. Each is named in its own tongue. */
export function LanguageSegments({
  value,
  onChange,
  missing,
  among = languages,
  isWide,
}: LanguageSegmentsProps) {
  const { t } = useTranslation();
  return (
    <Segments
      label={t('editing.language')}
      value={value}
      onChange={onChange}
      isWide={isWide}
      segments={among.map((language) => ({
        value: language,
        label: (
          <>
            <span lang={language}>{languageNames[language]}</span>
            {missing.includes(language) && (
              <>
                <span className={classes.dot} aria-hidden="true" />
                <span className="tk-visually-hidden">{t('editing.languageMissing')}</span>
              </>
            )}
          </>
        ),
      }))}
    />
  );
}
