import { useTranslation } from 'react-i18next';
import type { Language } from '../../../domain/languages';
import { Button } from '../../../ui/Button';
import { TrashIcon } from '../../../ui/editIcons';
import { FaultText } from '../../../ui/FaultText';
import { TextField } from '../../../ui/fields';
import { IconButton } from '../../../ui/IconButton';
import { PlusIcon } from '../../../ui/icons';
import { languageNames } from '../languageNames';
import type { CostDraft } from './draft';
import { nextId } from './nextId';
import classes from './RewardEditor.module.css';
import type { SectionProps } from './RewardForm';
import { Section } from './Section';

/** The contract's bound. */
const maxCosts = 10;

/** The added costs, such as delivery: a backer chooses one of them at checkout. */
export function Costs({ editor, main, second, isPhone }: SectionProps) {
  const { t } = useTranslation();
  const { draft, write, faults } = editor;
  const { costs } = draft;
  const shown: readonly Language[] = isPhone ? [second] : [main, second];
  const change = (id: string, next: Partial<CostDraft>) =>
    write({ costs: costs.map((cost) => (cost.id === id ? { ...cost, ...next } : cost)) });
  const add = () =>
    write({
      costs: [...costs, { id: nextId('cost', costs), amount: '0', description: { fi: '', en: '', sv: '' } }],
    });
  return (
    <Section title={t('editing.reward.costs')} note={t('editing.reward.costsNote')}>
      {costs.length > 0 && !isPhone && (
        <p className={`${classes.cost} ${classes.small}`} aria-hidden="true">
          <span lang={main}>{languageNames[main]}</span>
          <span lang={second}>{languageNames[second]}</span>
          <span>{t('editing.reward.amount')}</span>
          <span className={classes.place} />
        </p>
      )}
      {costs.map((cost, place) => (
        <div key={cost.id} className={isPhone ? classes.costAlone : classes.cost}>
          {shown.map((language, column) => (
            <TextField
              key={language}
              label={undefined}
              aria-label={t('editing.reward.costName', {
                number: place + 1,
                language: languageNames[language],
              })}
              placeholder={languageNames[language]}
              error={
                column === 0 &&
                faults[cost.id] && <FaultText fault={faults[cost.id] ?? { key: 'required' }} />
              }
              lang={language}
              value={cost.description[language]}
              maxLength={200}
              onChange={({ currentTarget: { value } }) =>
                change(cost.id, { description: { ...cost.description, [language]: value } })
              }
            />
          ))}
          <TextField
            label={undefined}
            aria-label={t('editing.reward.costSum', { number: place + 1 })}
            inputMode="decimal"
            rightSection="€"
            rightSectionWidth={28}
            error={
              faults[`${cost.id}-amount`] && (
                <FaultText fault={faults[`${cost.id}-amount`] ?? { key: 'numeric' }} />
              )
            }
            value={cost.amount}
            onChange={({ currentTarget }) => change(cost.id, { amount: currentTarget.value })}
          />
          <IconButton
            label={t('editing.reward.costRemove', { number: place + 1 })}
            icon={<TrashIcon />}
            onClick={() => write({ costs: costs.filter(({ id }) => id !== cost.id) })}
          />
        </div>
      ))}
      {costs.length < maxCosts && (
        <Button variant="transparent" leftSection={<PlusIcon size={16} />} onClick={add}>
          {t('editing.reward.costAdd')}
        </Button>
      )}
    </Section>
  );
}
