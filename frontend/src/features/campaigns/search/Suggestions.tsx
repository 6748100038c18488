import { skipToken } from '@reduxjs/toolkit/query';
import { useEffect, useId, useState, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router-dom';
import { useSearchQuery } from '../../../api/search';
import { paths } from '../../../domain/paths';
import { useLanguage } from '../../../i18n';
import { SearchIcon } from '../../../ui/icons';
import { Picture } from '../../../ui/Picture';
import { useDebouncedValue } from '../../../ui/useDebouncedValue';
import { useTexts } from '../../../ui/useTexts';
import { Marked } from './Marked';
import { suggestionsOf } from './suggested';
import classes from './Suggestions.module.css';

export interface SuggestionsProps {
  /** The field that they are below. It becomes a combobox as long as there are any. */
  field: RefObject<HTMLInputElement | null>;
  typed: string;
  /** Somebody has chosen, or has closed the list. */
  onDone: () => void;
}

const texts = ['search'] as const;
/** The fewest letters that anything is suggested for. */
const fewestLetters = 2;
const pauseMs = 150;

/**
 * What is found while somebody types, in a list below the field (the combobox pattern of ARIA): the arrow keys go through it
 * while the focus stays in the field, Enter opens, Escape closes. Its last row leads to all hits.
 */
export default function Suggestions({ field, typed, onDone }: SuggestionsProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const navigate = useNavigate();
  const id = useId();
  const hasTexts = useTexts(texts);
  const [asked] = useDebouncedValue(typed.trim(), pauseMs);
  const { currentData: answer } = useSearchQuery(
    asked.length >= fewestLetters ? { language, q: asked, limit: 2 } : skipToken,
  );
  const rows = answer ? suggestionsOf(answer, language) : [];
  const last = rows.length;
  const isOpen = hasTexts && rows.length > 0 && typed.trim().length >= fewestLetters;
  const [chosen, setChosen] = useState({ of: asked, row: -1 });
  const active = chosen.of === asked ? chosen.row : -1;

  const open = (row: number) => {
    onDone();
    void navigate(rows[row]?.to ?? paths.search(language, { q: typed.trim() }));
  };

  // The field belongs to the header, which is in every first visit; what makes it a combobox comes with this list.
  useEffect(() => {
    const input = field.current;
    if (!input || !isOpen) return undefined;
    const attributes = {
      role: 'combobox',
      'aria-autocomplete': 'list',
      'aria-expanded': 'true',
      'aria-controls': id,
    };
    for (const [name, value] of Object.entries(attributes)) input.setAttribute(name, value);
    return () => {
      for (const name of Object.keys(attributes)) input.removeAttribute(name);
    };
  }, [field, id, isOpen]);
  useEffect(() => {
    const input = field.current;
    if (active >= 0) input?.setAttribute('aria-activedescendant', `${id}-${active}`);
    return () => input?.removeAttribute('aria-activedescendant');
  }, [field, id, active]);
  useEffect(() => {
    const input = field.current;
    const onKey = (event: KeyboardEvent) => {
      if (!isOpen) return;
      if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
        event.preventDefault();
        const step = event.key === 'ArrowDown' ? 1 : -1;
        setChosen({
          of: asked,
          row: active < 0 && step < 0 ? last : (active + step + last + 1) % (last + 1),
        });
      } else if (event.key === 'Escape') {
        event.preventDefault(); // what was typed stays
        event.stopPropagation();
        onDone();
      } else if (event.key === 'Enter' && active >= 0) {
        event.preventDefault();
        open(active);
      }
    };
    const onLeave = ({ relatedTarget }: FocusEvent) => {
      if (!(relatedTarget instanceof Element) || !relatedTarget.closest(`[id="${id}"]`)) onDone();
    };
    input?.addEventListener('keydown', onKey);
    input?.addEventListener('blur', onLeave);
    return () => {
      input?.removeEventListener('keydown', onKey);
      input?.removeEventListener('blur', onLeave);
    };
  });

  if (!isOpen || !answer) return null;
  return (
    <div id={id} role="listbox" aria-label={t('search.suggestions')} className={classes.root}>
      {rows.map(({ title, picture, isPerson, group }, row) => (
        // eslint-disable-next-line jsx-a11y/click-events-have-key-events -- the field has the keys
        <div
          key={`${group} ${title} ${picture}`}
          id={`${id}-${row}`}
          role="option"
          tabIndex={-1}
          aria-selected={row === active}
          className={classes.row}
          onPointerDown={(event) => event.preventDefault()} // The field keeps the focus.
          onClick={() => open(row)}
        >
          <Picture
            name={picture}
            alt=""
            ratio={isPerson ? 1 : 52 / 34}
            widths={isPerson ? [34, 68] : [52, 104]}
            sizes={isPerson ? '2.125rem' : '3.25rem'}
            shape={isPerson ? 'round' : 'thumb'}
            className={isPerson ? classes.face : classes.picture}
          />
          <span className={classes.title}>
            <Marked text={title} marks={answer.marks} />
          </span>
          <span className={classes.state}>{t(`search.one.${group}`)}</span>
        </div>
      ))}
      {/* eslint-disable-next-line jsx-a11y/click-events-have-key-events -- the field has the keys */}
      <div
        id={`${id}-${last}`}
        role="option"
        tabIndex={-1}
        aria-selected={active === last}
        className={`${classes.row} ${classes.last}`}
        onPointerDown={(event) => event.preventDefault()}
        onClick={() => open(last)}
      >
        <SearchIcon size={16} />
        <span className={classes.title}>{t('search.allHits', { count: answer.total })}</span>
      </div>
    </div>
  );
}
