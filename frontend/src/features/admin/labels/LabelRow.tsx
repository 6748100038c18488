import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { languages } from '../../../domain/languages';
import { useLanguage } from '../../../i18n';
import { Button } from '../../../ui/Button';
import { Chip } from '../../../ui/Chip';
import table from '../../../ui/table/Table.module.css';
import { nameIn, type Labelled } from './labels';
import classes from './Labels.module.css';
import { useCarriers } from './useCarriers';

export interface LabelRowProps {
  one: Labelled;
  onRename: () => void;
  /** What else can be done with it. */
  children?: ReactNode;
}

/** The names of a category or tag beside each other, those that are missing marked, and what has it. */
export function LabelRow({ one, onRename, children }: LabelRowProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const carriers = useCarriers();
  const name = nameIn(language, one.labels);
  return (
    <tr className={table.row}>
      {languages.map((of) => (
        <td key={of} lang={of} title={one.labels[of]}>
          {one.labels[of] ?? (
            <span lang={language}>
              <Chip tone="cloud">{t('staff.labels.missing')}</Chip>
            </span>
          )}
        </td>
      ))}
      <td title={carriers(one)}>{carriers(one) || '–'}</td>
      <td>
        <span className={classes.acts}>
          <Button
            variant="transparent"
            size="sm"
            aria-label={`${t('staff.labels.rename')}: ${name}`}
            onClick={onRename}
          >
            {t('staff.labels.rename')}
          </Button>
          {children}
        </span>
      </td>
    </tr>
  );
}

/** The table of names, in which the rows stand. */
export function LabelTable({ label, children }: { label: string; children: ReactNode }) {
  const { t } = useTranslation();
  return (
    // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling region is reached by Tab
    <div className={table.scroll} tabIndex={0} role="region" aria-label={label}>
      <table className={`${table.table} ${classes.table}`}>
        <thead>
          <tr>
            {languages.map((of) => (
              <th key={of} scope="col">
                {t(`staff.labels.in.${of}`)}
              </th>
            ))}
            <th scope="col" className={classes.used}>
              {t('staff.labels.used')}
            </th>
            <th scope="col" className={classes.actions}>
              {t('staff.labels.acts')}
            </th>
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}
