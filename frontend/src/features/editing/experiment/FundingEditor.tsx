import { useId } from 'react';
import { Trans, useTranslation } from 'react-i18next';
import { experimentPercent } from '../../../domain/progress';
import { useLanguage } from '../../../i18n';
import { formatMoney, formatPercent } from '../../../i18n/format';
import { Button } from '../../../ui/Button';
import { SelectField, TextField } from '../../../ui/fields';
import { IconButton } from '../../../ui/IconButton';
import { TrashIcon } from '../../../ui/editIcons';
import { PlusIcon } from '../../../ui/icons';
import { FieldErrorText } from '../campaign/FieldErrorText';
import { FundingBar } from '../../../ui/experiments/FundingBar';
import { CrowdEditor } from './CrowdEditor';
import classes from './ExperimentEditor.module.css';
import { SumField } from './SumField';
import { useEditor } from './useExperimentEditor';

const currencies = ['EUR', 'SEK', 'NOK', 'DKK'] as const;

/** The goal, and where the money comes from: the state, organisations and a linked campaign. */
export function FundingEditor() {
  const { t } = useTranslation();
  const language = useLanguage();
  const title = useId();
  const { admin, parts, write, set, leave, refused } = useEditor();
  const { funding } = admin;
  const { organizations } = parts;
  const giver = (place: number, change: Partial<(typeof organizations)[number]>) =>
    write(
      'organizations',
      organizations.map((one, at) => (at === place ? { ...one, ...change } : one)),
    );
  return (
    <section aria-labelledby={title} id="funding" className={classes.part}>
      <h2 id={title}>{t('experimentEdit.funding.title')}</h2>
      <div className={classes.fields}>
        <SumField
          label={t('experimentEdit.funding.goal')}
          value={parts.goal}
          onChange={(value) => write('goal', value)}
          onLeave={leave}
        />
        <SelectField
          label={t('experimentEdit.funding.currency')}
          value={parts.currency}
          data={[...currencies]}
          onChange={({ currentTarget }) => set('currency', currentTarget.value)}
        />
        <p className={classes.sight} role="status">
          <Trans
            t={t}
            i18nKey="experimentEdit.funding.sight"
            values={{
              amount: formatMoney(language, funding.raised, { cents: false, currency: funding.currency }),
              percent: formatPercent(language, experimentPercent(funding.raised, funding.goal)),
            }}
            components={{ b: <b /> }}
          />
        </p>
      </div>
      <FieldErrorText error={refused.goal ?? refused.currency} />
      {(funding.goal > 0 || funding.raised > 0) && <FundingBar funding={funding} />}
      <h3>{t('experimentEdit.funding.organizations')}</h3>
      <ul className={classes.rows}>
        {organizations.map(({ name, raised }, place) => {
          const row = t('experimentEdit.funding.row', { row: place + 1 });
          return (
            <li key={place} className={classes.row}>
              <TextField
                aria-label={`${t('experimentEdit.funding.name')}, ${row}`}
                label={t('experimentEdit.funding.name')}
                className={classes.wide}
                maxLength={120}
                value={name}
                onChange={({ currentTarget }) => giver(place, { name: currentTarget.value })}
                onBlur={leave}
              />
              <SumField
                aria-label={`${t('experimentEdit.funding.sum')}, ${row}`}
                label={t('experimentEdit.funding.sum')}
                className={classes.sum}
                value={raised}
                onChange={(value) => giver(place, { raised: value })}
                onLeave={leave}
              />
              <IconButton
                label={t('experimentEdit.funding.remove', { name: name || row })}
                icon={<TrashIcon />}
                onClick={() => set('organizations', organizations.toSpliced(place, 1))}
              />
            </li>
          );
        })}
      </ul>
      <FieldErrorText error={refused.organizations} />
      {organizations.length < 20 && (
        <div>
          <Button
            variant="transparent"
            size="sm"
            className={classes.add}
            leftSection={<PlusIcon size={16} />}
            onClick={() => write('organizations', [...organizations, { name: '', raised: 0 }])}
          >
            {t('experimentEdit.funding.add')}
          </Button>
        </div>
      )}
      <div className={classes.fields}>
        <SumField
          label={t('experimentEdit.funding.state')}
          value={parts.state}
          onChange={(value) => write('state', value)}
          onLeave={leave}
        />
      </div>
      <FieldErrorText error={refused.state} />
      <CrowdEditor />
    </section>
  );
}
