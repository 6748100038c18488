import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'react-router-dom';
import { inLanguage, languages } from '../domain/languages';
import { useLanguage } from '../i18n';
import type { LinkState } from '../ui/linkToken';
import { keepFocus } from '../ui/page';
import classes from './LanguageSwitch.module.css';

const names = { fi: 'Suomi', en: 'English', sv: 'Svenska' } as const;

/** Links to the current page in each language, as letters or by name. */
export function LanguageSwitch({ look = 'letters' }: { look?: 'letters' | 'names' }) {
  const { t } = useTranslation();
  const current = useLanguage();
  const location = useLocation();
  const { pathname, search, hash } = location;
  const linkToken = (location.state as LinkState | null)?.linkToken;
  return (
    <nav aria-label={t('nav.language')}>
      <ul className={look === 'names' ? classes.named : classes.list}>
        {languages.map((language) => (
          <li key={language}>
            <Link
              to={{ pathname: inLanguage(pathname, language), search, hash }}
              lang={language}
              hrefLang={language}
              title={look === 'names' ? undefined : names[language]}
              aria-current={language === current ? 'true' : undefined}
              preventScrollReset
              state={{ ...keepFocus, linkToken }}
              className={classes.link}
            >
              {look === 'names' ? names[language] : language.toUpperCase()}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
