import { NodeViewWrapper, type ReactNodeViewProps } from '@tiptap/react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLanguage } from '../../../../i18n';
import { Button } from '../../../../ui/Button';
import { TrashIcon } from '../../../../ui/editIcons';
import { TextField } from '../../../../ui/fields';
import { IconButton } from '../../../../ui/IconButton';
import { PlusIcon } from '../../../../ui/icons';
import { FaultText } from '../../../../ui/FaultText';
import { parseCents } from '../../../../domain/amounts';
import { amountFault, emptyAmount, formatMinorUnits } from '../../amount';
import classes from './views.module.css';

interface BudgetRow {
  label: string;
  amount_minor: number;
}

/** Edits a budget: rows with a name and an amount. */
export function BudgetView({ node, updateAttributes, selected }: ReactNodeViewProps) {
  const { t } = useTranslation();
  const rows: readonly BudgetRow[] = Array.isArray(node.attrs.rows) ? node.attrs.rows : [];
  const change = (next: readonly BudgetRow[]) => updateAttributes({ rows: next });
  const set = (place: number, row: Partial<BudgetRow>) =>
    change(rows.map((old, at) => (at === place ? { ...old, ...row } : old)));
  return (
    <NodeViewWrapper className={classes.piece} data-selected={selected ? true : undefined}>
      <div
        className={classes.budget}
        contentEditable={false}
        role="group"
        aria-label={t('editing.text.budget')}
      >
        {rows.map((row, place) => (
          // Rows have no id.
          <div key={place} className={classes.row}>
            <TextField
              label={undefined}
              aria-label={t('editing.text.budgetFor', { number: place + 1 })}
              value={row.label}
              onChange={({ currentTarget }) => set(place, { label: currentTarget.value })}
            />
            <Sum
              label={t('editing.text.budgetSum', { number: place + 1 })}
              minor={row.amount_minor}
              onChange={(amount_minor) => set(place, { amount_minor })}
            />
            <IconButton
              label={t('editing.text.budgetRemove', { number: place + 1 })}
              icon={<TrashIcon />}
              onClick={() => change(rows.filter((_, at) => at !== place))}
            />
          </div>
        ))}
        <Button
          size="sm"
          variant="transparent"
          leftSection={<PlusIcon size={16} />}
          onClick={() => change([...rows, { label: '', amount_minor: 0 }])}
        >
          {t('editing.text.budgetAdd')}
        </Button>
      </div>
    </NodeViewWrapper>
  );
}

/** An amount field. Only valid amounts are reported; `minor` is in cents. */
function Sum({
  label,
  minor,
  onChange,
}: {
  label: string;
  minor: number;
  onChange: (minor: number) => void;
}) {
  const language = useLanguage();
  const [typed, setTyped] = useState(() => formatMinorUnits(minor, language));
  const fault = typed.trim() === '' ? emptyAmount : amountFault(typed);
  return (
    <TextField
      label={undefined}
      aria-label={label}
      inputMode="decimal"
      rightSection="€"
      error={fault && <FaultText fault={fault} />}
      value={typed}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value);
        const next = parseCents(currentTarget.value);
        if (next !== undefined && !amountFault(currentTarget.value)) onChange(next);
      }}
    />
  );
}
