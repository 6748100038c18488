import { useTranslation } from 'react-i18next';
import { languages, type Language } from '../../domain/languages';
import { Segments } from '../../ui/Segments';
import { languageNames } from './languageNames';
import classes from './LanguageSegments.module.css';

export interface LanguageSegmentsProps {
  value: Language;
  onChange: (language: Language) => void;
  /** Languages without a text yet. They are marked with a dot, and with words for screen readers. */
  missing: readonly Language[];
  /** The languages to choose from; by default all. */
  among?: readonly Language[];
  isWide?: boolean;
  isSmall?: boolean;
}

/** Selects the language in which texts are edited. Each language is named in itself. */
export function LanguageSegments({
  value,
  onChange,
  missing,
  among = languages,
  isWide,
  isSmall,
}: LanguageSegmentsProps) {
  const { t } = useTranslation();
  return (
    <Segments
      label={t('editing.language')}
      value={value}
      onChange={onChange}
      isWide={isWide}
      isSmall={isSmall}
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
