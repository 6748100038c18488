import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../ui/Button';
import { TrashIcon } from '../../ui/editIcons';
import { TextField } from '../../ui/fields';
import { IconButton } from '../../ui/IconButton';
import { LinkKindIcon } from '../../ui/LinkKindIcon';
import classes from './LinkRows.module.css';
import { most, type LinkRow } from './values';

export interface LinkRowsProps {
  rows: readonly LinkRow[];
  /** The ids of rows whose address is none. */
  bad: readonly number[];
  onChange: (rows: readonly LinkRow[]) => void;
}

/** One's links, each with the icon of its kind. A row that stays empty is not saved. */
export function LinkRows({ rows, bad, onChange }: LinkRowsProps) {
  const { t } = useTranslation();
  const add = useRef<HTMLButtonElement>(null);
  const change = (id: number, part: Partial<LinkRow>) =>
    onChange(rows.map((row) => (row.id === id ? { ...row, ...part } : row)));
  const withScheme = (url: string) =>
    url.includes('@') && !url.includes('/') ? `mailto:${url}` : url.includes('://') ? url : `https://${url}`;
  return (
    <div>
      <ul className={classes.rows}>
        {rows.map(({ id, title, url }, place) => (
          <li key={id} className={classes.row}>
            <LinkKindIcon address={withScheme(url.trim())} className={classes.icon} />
            <TextField
              label={t('people.me.linkTitle')}
              value={title}
              maxLength={most.linkTitle}
              onChange={({ currentTarget }) => change(id, { title: currentTarget.value })}
            />
            <TextField
              label={t('people.me.linkUrl')}
              className={classes.url}
              inputMode="url"
              autoCapitalize="none"
              placeholder={t('people.me.linkUrlHint')}
              value={url}
              maxLength={most.url}
              error={bad.includes(id) ? t('people.me.linkFault') : undefined}
              onChange={({ currentTarget }) => change(id, { url: currentTarget.value })}
            />
            <IconButton
              className={classes.remove}
              icon={<TrashIcon />}
              label={
                title
                  ? t('people.me.removeThisLink', { title })
                  : t('people.me.removeLink', { number: place + 1 })
              }
              onClick={() => {
                onChange(rows.filter((row) => row.id !== id));
                add.current?.focus(); // The button that had the focus is gone.
              }}
            />
          </li>
        ))}
      </ul>
      <Button
        ref={add}
        variant="transparent"
        aria-disabled={rows.length >= most.links || undefined}
        onClick={() => {
          const next = Math.max(-1, ...rows.map(({ id }) => id)) + 1;
          if (rows.length < most.links) onChange([...rows, { id: next, title: '', url: '' }]);
        }}
      >
        + {t('people.me.addLink')}
      </Button>
    </div>
  );
}
