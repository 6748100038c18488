import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../ui/Button';
import { TextField } from '../../../ui/fields';
import classes from './HomePicks.module.css';

export interface SearchInputProps {
  label: string;
  onSearch: (keyword: string) => void;
}

/** A search within the form of the picks, so not a form of its own: Enter searches and does not save. */
export function SearchInput({ label, onSearch }: SearchInputProps) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState('');
  return (
    <div role="search" aria-label={label} className={classes.searchLine}>
      <TextField
        label={label}
        type="search"
        value={typed}
        maxLength={100}
        autoComplete="off"
        enterKeyHint="search"
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return;
          event.preventDefault();
          onSearch(typed.trim());
        }}
      />
      <Button variant="light" onClick={() => onSearch(typed.trim())}>
        {t('people.staff.find')}
      </Button>
    </div>
  );
}
