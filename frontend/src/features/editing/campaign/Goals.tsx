import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  useSetSubscriptionGoalsMutation,
  type SubscriptionGoalChange,
  type SubscriptionGoalTexts,
} from '../../../api/editing';
import type { Language } from '../../../domain/languages';
import { campaignStages } from '../../../domain/stages';
import { Button } from '../../../ui/Button';
import { TrashIcon } from '../../../ui/editIcons';
import { TextareaField, TextField } from '../../../ui/fields';
import { IconButton } from '../../../ui/IconButton';
import { PlusIcon } from '../../../ui/icons';
import { isFixed } from '../../../ui/saving/failures';
import { localDraft } from '../../../ui/saving/localDraft';
import { TwoVersions } from '../TwoVersions';
import { isSame } from '../partNames';
import { useAct } from '../useAct';
import { AskBack, Fixed } from './Approved';
import { useEditor } from './useCampaignEditor';
import { FieldErrorText } from './FieldErrorText';
import classes from './Goals.module.css';
import { kindOf } from './parts';
import { SidePanel } from './SidePanel';

/** A goal as it is typed. `target`, the number of supporters, may be empty or not a number. */
interface Row extends Omit<SubscriptionGoalChange, 'target' | 'description'> {
  target: string;
  description: string;
}

/** A list of goals that is not saved yet. */
interface Typed {
  rows: Row[];
  /** The server's list when typing began. If the server's list differs from it now, somebody else has changed it. */
  before: Row[];
}

/** How many goals a campaign may have; the contract's bound. */
const maxGoals = 10;

const rowsOf = (goals: readonly SubscriptionGoalTexts[], language: Language): Row[] =>
  goals.map(({ goal_id, target, texts }) => ({
    goal_id,
    target: String(target),
    title: texts[language]?.title ?? '',
    description: texts[language]?.description ?? '',
  }));

export interface GoalsProps {
  /** How many supporters the campaign has, as its page says. */
  reached: number;
}

/** A monthly campaign's goals in the selected language. The list is saved as a whole, with its own button. */
export function Goals({ reached }: GoalsProps) {
  const { t } = useTranslation();
  const { admin, campaignId, language, userId, waiting, act } = useEditor();
  const kept = localDraft<Typed>(userId, `goals-${campaignId}-${language}`);
  const [typed, setTyped] = useState(() => kept.read());
  const saved = rowsOf(admin.subscriptions_goals, language);
  const rows = typed?.rows ?? saved;
  const isChanged = !isSame(rows, saved);
  const isConflict = typed !== undefined && isChanged && !isSame(typed.before, saved);
  const [save] = useSetSubscriptionGoalsMutation();
  const { run, failure, isBusy } = useAct(act, (now) => rowsOf(now.subscriptions_goals, language));

  // Once the campaign is open, a goal that is reached is promised: only its words change.
  const isOpen = admin.stage !== campaignStages.draft && admin.stage !== campaignStages.preparing;
  const isPromised = ({ goal_id }: Row) =>
    isOpen && saved.some((goal) => goal.goal_id === goal_id && Number(goal.target) <= reached);
  /** What is typed, with the numbers of all goals that there are: one of them was reached meanwhile. */
  const withoutRefused = (): Typed => ({
    rows: [
      ...saved.map((goal) => ({ ...goal, ...wordsIn(rows.find(({ goal_id }) => goal_id === goal.goal_id)) })),
      ...rows.filter(({ goal_id }) => goal_id === undefined),
    ],
    before: saved,
  });

  const isBack =
    kindOf(admin, 'subscriptions_goals') === 'back_to_queue' && !waiting.some(({ part }) => part === 'goals');

  const keep = (next: Typed | undefined) => {
    setTyped(next);
    kept.write(next);
  };
  const show = (next: Row[]) => keep({ rows: next, before: typed?.before ?? saved });
  const change = (place: number, part: Partial<Row>) =>
    show(rows.map((row, at) => (at === place ? { ...row, ...part } : row)));
  const send = async (list: readonly Row[]) => {
    const subscriptions_goals = list.map((row) => ({ ...row, target: Number(row.target) }));
    const error = await run((ifMatch) =>
      save({ campaignId, language, 'If-Match': ifMatch, subscriptionGoalsChange: { subscriptions_goals } }),
    );
    if (!error) keep(undefined);
    else if (isFixed(error)) keep(withoutRefused());
  };
  const keepMine = () => {
    const ids = saved.map(({ goal_id }) => goal_id);
    // A goal that the other person has deleted is created again.
    const mine = rows.map(({ goal_id, ...row }) => (ids.includes(goal_id) ? { goal_id, ...row } : row));
    keep({ rows: mine, before: saved });
    if (canSave) void send(mine);
  };
  const canSave = rows.every(({ target, title }) => /^[1-9]\d{0,6}$/.test(target) && title.trim() !== '');

  return (
    <SidePanel
      title={t('editing.campaign.goals.title')}
      id="offer"
      help={t('editing.campaign.goals.help')}
      reviewParts={['goals', 'rewards']}
    >
      {isConflict && (
        <TwoVersions
          who=""
          mine={wordsOf(rows)}
          theirs={wordsOf(saved)}
          onKeepMine={keepMine}
          onKeepTheirs={() => keep(undefined)}
        />
      )}
      {rows.map((row, place) => (
        <div key={row.goal_id ?? `new-${place}`} className={classes.goal}>
          {isPromised(row) ? (
            <Fixed label={t('editing.campaign.goals.target', { number: place + 1 })}>{row.target}</Fixed>
          ) : (
            <TextField
              label={t('editing.campaign.goals.target', { number: place + 1 })}
              inputMode="numeric"
              value={row.target}
              onChange={({ currentTarget }) => change(place, { target: currentTarget.value.trim() })}
            />
          )}
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
          {!isPromised(row) && (
            <IconButton
              look="tool"
              label={t('editing.campaign.goals.remove', { number: place + 1 })}
              icon={<TrashIcon />}
              onClick={() => show(rows.filter((_, at) => at !== place))}
            />
          )}
        </div>
      ))}
      {rows.some(isPromised) && <p className={classes.missing}>{t('editing.campaign.goals.promised')}</p>}
      {isChanged && !isConflict && isBack && <AskBack part="goals" onKeep={() => keep(undefined)} />}
      {!isConflict && <FieldErrorText error={failure} />}
      {isChanged && !canSave && <p className={classes.missing}>{t('editing.campaign.goals.missing')}</p>}
      <div className={classes.acts}>
        {rows.length < maxGoals && (
          <Button
            size="sm"
            variant="light"
            leftSection={<PlusIcon size={16} />}
            onClick={() => show([...rows, { target: '', title: '', description: '' }])}
          >
            {t('editing.campaign.goals.add')}
          </Button>
        )}
        {isChanged && canSave && !isConflict && (
          <Button size="sm" loading={isBusy} onClick={() => void send(rows)}>
            {t('editing.campaign.goals.save')}
          </Button>
        )}
      </div>
    </SidePanel>
  );
}

const wordsIn = (row: Row | undefined) => row && { title: row.title, description: row.description };
const wordsOf = (rows: readonly Row[]) => rows.map(({ target, title }) => `${target} · ${title}`).join('\n');
