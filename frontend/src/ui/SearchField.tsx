import { useRef, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from './Button';
import { SearchIcon } from './icons';
import classes from './SearchField.module.css';

export interface SearchFieldProps {
  /** box: with a button · pill: small and without one, for the header · large: the field of a search page. */
  look: 'box' | 'pill' | 'large';
  /** The id of the input, for links that lead to it. */
  id?: string;
  input?: RefObject<HTMLInputElement | null>;
  /** The keyword of the current search. When it changes, such as by the back button, it replaces what is typed. */
  keyword?: string;
  /** What is searched for; campaigns without it. */
  label?: string;
  /** The name of the field in the address, and where the form leads, for browsers in which the app does not run. */
  name?: string;
  action?: string;
  /** Called with what is typed so far. */
  onType?: (text: string) => void;
  onSearch: (keyword: string) => void;
}

/** A search form. */
export function SearchField(props: SearchFieldProps) {
  const {
    look,
    id,
    input,
    keyword = '',
    label,
    name: fieldName = 'keyword',
    action,
    onType,
    onSearch,
  } = props;
  const { t } = useTranslation();
  const name = label ?? t('nav.search');
  const ownInput = useRef<HTMLInputElement>(null);
  const field = input ?? ownInput;
  return (
    <form
      role="search"
      aria-label={name}
      className={classes[look]}
      action={action}
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
        name={fieldName}
        defaultValue={keyword}
        aria-label={name}
        placeholder={name}
        maxLength={100}
        onInput={onType && (({ currentTarget }) => onType(currentTarget.value))}
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
