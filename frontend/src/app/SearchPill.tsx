import { useRef, type SyntheticEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router-dom';
import { paths } from '../domain/paths';
import { useLanguage } from '../i18n';
import { SearchIcon } from '../ui/icons';
import classes from './Header.module.css';

/** Searches campaigns; without script the form does the same by itself. */
export function SearchPill() {
  const { t } = useTranslation();
  const language = useLanguage();
  const navigate = useNavigate();

  const input = useRef<HTMLInputElement>(null);

  const search = (event: SyntheticEvent) => {
    event.preventDefault();
    void navigate(paths.campaigns(language, { keyword: input.current?.value.trim() }));
  };

  return (
    <form role="search" action={paths.campaigns(language)} onSubmit={search} className={classes.search}>
      <SearchIcon size={16} />
      <input
        ref={input}
        type="search"
        name="keyword"
        aria-label={t('nav.search')}
        placeholder={t('nav.search')}
        maxLength={100}
        enterKeyHint="search"
        autoComplete="off"
        className={classes.searchInput}
      />
    </form>
  );
}
