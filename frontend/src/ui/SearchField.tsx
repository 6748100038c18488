import type { RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from './Button';
import { SearchIcon } from './icons';
import classes from './SearchField.module.css';

export interface SearchFieldProps {
  input: RefObject<HTMLInputElement | null>;
  /** The keyword of the current search. When it changes from elsewhere (browser back), it replaces what is typed. */
  keyword: string;
  onSearch: (keyword: string) => void;
}

/** A word to search for, with its button. */
export function SearchField({ input, keyword, onSearch }: SearchFieldProps) {
  const { t } = useTranslation();
  return (
    <form
      role="search"
      aria-label={t('nav.search')}
      className={classes.root}
      onSubmit={(event) => {
        event.preventDefault();
        onSearch(input.current?.value.trim() ?? '');
      }}
    >
      <SearchIcon size={16} />
      <input
        key={keyword}
        ref={input}
        id="search"
        type="search"
        name="keyword"
        defaultValue={keyword}
        aria-label={t('nav.search')}
        placeholder={t('nav.search')}
        maxLength={100}
        autoComplete="off"
        className={classes.input}
      />
      <Button type="submit" variant="light" size="sm">
        {t('nav.submitSearch')}
      </Button>
    </form>
  );
}
