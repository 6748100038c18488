import { useRef, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from './Button';
import { SearchIcon } from './icons';
import classes from './SearchField.module.css';

export interface SearchFieldProps {
  /** box: with a button · pill: small and without one, for the header. */
  look: 'box' | 'pill';
  /** The id of the input, for links that lead to it. */
  id?: string;
  input?: RefObject<HTMLInputElement | null>;
  /** The keyword of the current search. When it changes, such as by the back button, it replaces what is typed. */
  keyword?: string;
  /** What is searched for; campaigns without it. */
  label?: string;
  onSearch: (keyword: string) => void;
}

/** A search form. */
export function SearchField({ look, id, input, keyword = '', label, onSearch }: SearchFieldProps) {
  const { t } = useTranslation();
  const name = label ?? t('nav.search');
  const ownInput = useRef<HTMLInputElement>(null);
  const field = input ?? ownInput;
  return (
    <form
      role="search"
      aria-label={name}
      className={classes[look]}
      onSubmit={(event) => {
        event.preventDefault();
        onSearch(field.current?.value.trim() ?? '');
      }}
    >
      <SearchIcon size={16} />
      <input
        key={keyword}
        ref={field}
        id={id}
        type="search"
        name="keyword"
        defaultValue={keyword}
        aria-label={name}
        placeholder={name}
        maxLength={100}
        enterKeyHint="search"
        autoComplete="off"
        className={classes.input}
      />
      {look === 'box' && (
        <Button type="submit" variant="light" size="sm">
          {t('nav.submitSearch')}
        </Button>
      )}
    </form>
  );
}
