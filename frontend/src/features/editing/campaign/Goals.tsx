import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  useSetSubscriptionGoalsMutation,
  type SubscriptionGoalChange,
  type SubscriptionGoalTexts,
} from '../../../api/editing';
import type { Language } from '../../../domain/languages';
import { Button } from '../../../ui/Button';
import { TrashIcon } from '../../../ui/editIcons';
import { TextareaField, TextField } from '../../../ui/fields';
import { IconButton } from '../../../ui/IconButton';
import { PlusIcon } from '../../../ui/icons';
import { keptOnDevice } from '../kept';
import { useWriting } from './context';
import { FieldTrouble } from './FieldTrouble';
import classes from './Goals.module.css';
import { SidePanel } from './SidePanel';
import { useCall } from './useCall';

/** A goal while it is typed; its number of supporters may be empty. */
interface Row extends Omit<SubscriptionGoalChange, 'target' | 'description'> {
  target: string;
  description: string;
}

/** How many goals a campaign may have; the contract's bound. */
const most = 10;

const rowsOf = (goals: readonly SubscriptionGoalTexts[], language: Language): Row[] =>
  goals.map(({ goal_id, target, texts }) => ({
    goal_id,
    target: String(target),
    title: texts[language]?.title ?? '',
    description: texts[language]?.description ?? '',
  }));

/** A monthly campaign's goals, in the language that is being written. The list is saved as a whole, at a press. */
export function Goals() {
  const { t } = useTranslation();
  const { admin, campaignId, language, userId } = useWriting();
  const kept = keptOnDevice<{ rows: Row[] }>(userId, `goals-${campaignId}-${language}`);
  const [typed, setTyped] = useState<Partial<Record<Language, Row[]>>>({});
  const rows = typed[language] ?? kept.read()?.rows ?? rowsOf(admin.subscriptions_goals, language);
  const isChanged = JSON.stringify(rows) !== JSON.stringify(rowsOf(admin.subscriptions_goals, language));
  const [save] = useSetSubscriptionGoalsMutation();
  const { run, failure, isBusy } = useCall();

  const show = (next: Row[]) => {
    setTyped({ ...typed, [language]: next });
    kept.write({ rows: next });
  };
  const change = (place: number, part: Partial<Row>) =>
    show(rows.map((row, at) => (at === place ? { ...row, ...part } : row)));
  const send = async () => {
    const subscriptions_goals = rows.map((row) => ({ ...row, target: Number(row.target) }));
    const isDone = await run(() =>
      save({ campaignId, language, subscriptionGoalsChange: { subscriptions_goals } }),
    );
    if (!isDone) return;
    kept.write();
    setTyped((old) => ({ ...old, [language]: undefined }));
  };
  const canSave = rows.every(({ target, title }) => /^[1-9]\d{0,6}$/.test(target) && title.trim() !== '');

  return (
    <SidePanel
      title={t('editing.campaign.goals.title')}
      id="offer"
      help={t('editing.campaign.goals.help')}
      noted={['goals', 'rewards']}
    >
      {rows.map((row, place) => (
        <div key={row.goal_id ?? `new-${place}`} className={classes.goal}>
          <TextField
            label={t('editing.campaign.goals.target', { number: place + 1 })}
            inputMode="numeric"
            value={row.target}
            onChange={({ currentTarget }) => change(place, { target: currentTarget.value.trim() })}
          />
          <TextField
            label={t('editing.campaign.goals.name', { number: place + 1 })}
            lang={language}
            maxLength={80}
            value={row.title}
            onChange={({ currentTarget }) => change(place, { title: currentTarget.value })}
          />
          <TextareaField
            label={t('editing.campaign.goals.description', { number: place + 1 })}
            lang={language}
            maxLength={400}
            value={row.description}
            onChange={({ currentTarget }) => change(place, { description: currentTarget.value })}
          />
          <IconButton
            look="tool"
            label={t('editing.campaign.goals.remove', { number: place + 1 })}
            icon={<TrashIcon />}
            onClick={() => show(rows.filter((_, at) => at !== place))}
          />
        </div>
      ))}
      <FieldTrouble error={failure} />
      {isChanged && !canSave && <p className={classes.missing}>{t('editing.campaign.goals.missing')}</p>}
      <div className={classes.acts}>
        {rows.length < most && (
          <Button
            size="sm"
            variant="light"
            leftSection={<PlusIcon size={16} />}
            onClick={() => show([...rows, { target: '', title: '', description: '' }])}
          >
            {t('editing.campaign.goals.add')}
          </Button>
        )}
        {isChanged && canSave && (
          <Button size="sm" loading={isBusy} onClick={() => void send()}>
            {t('editing.campaign.goals.save')}
          </Button>
        )}
      </div>
    </SidePanel>
  );
}
