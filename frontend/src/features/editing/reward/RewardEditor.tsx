import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCampaignRewardsQuery } from '../../../api/content';
import { useRewardAdminQuery, type RewardAdmin } from '../../../api/editing';
import type { Language } from '../../../domain/languages';
import { sortRewards } from '../../../domain/rewards';
import { Button } from '../../../ui/Button';
import { Chip } from '../../../ui/Chip';
import { ConfirmDialog } from '../../../ui/ConfirmDialog';
import { FormDrawer } from '../../../ui/FormDrawer';
import { ChevronUpIcon, PencilIcon } from '../../../ui/editIcons';
import { FaultText } from '../../../ui/FaultText';
import { IconButton } from '../../../ui/IconButton';
import { AlertCircleIcon, CheckIcon, ChevronDownIcon, CloseIcon } from '../../../ui/icons';
import { Unread } from '../../../ui/Unread';
import { useIsPhone } from '../../../ui/useIsPhone';
import { useOpenedAfterMount } from '../../../ui/useOpenedAfterMount';
import { isNew, newReward } from './draft';
import classes from './RewardEditor.module.css';
import { RewardForm } from './RewardForm';
import { useRewardEditor } from './useRewardEditor';

export interface RewardEditorProps {
  campaignId: number;
  /** Who writes, also when their session has expired. */
  userId: number;
  /** The reward to open, undefined for a new one. The drawer has buttons for the previous and the next one. */
  rewardId?: number;
  /** Whether a new reward becomes visible with its first save. */
  isNewShown: boolean;
  /** Whether the campaign's rewards are levels of monthly support. */
  isMonthly?: boolean;
  /** The language selected on the page, which is the form's main language if the reward has a title in it. */
  language: Language;
  onClose: () => void;
}

/** Edits a reward in a drawer. It is saved with a button; until then what was typed is kept on the device. */
export function RewardEditor(props: RewardEditorProps) {
  const { campaignId, userId, rewardId, isNewShown, isMonthly, language, onClose } = props;
  const { t } = useTranslation();
  // 0 is the new reward, also after its first save.
  const [current, setCurrent] = useState(rewardId ?? 0);
  const [isOpen, setOpen] = useState(true);
  const isShown = useOpenedAfterMount(isOpen);
  // Kept here, because an expired session clears the query cache.
  const [begun, setBegun] = useState(
    rewardId === undefined ? newReward(campaignId, isNewShown, isMonthly) : undefined,
  );
  const isHere = begun?.reward_id === current;
  const call = useRewardAdminQuery({ rewardId: current }, { skip: isHere || current === 0 });
  const { data } = call;
  if (!isHere && data?.reward.reward_id === current) setBegun(data.reward);
  const { data: list } = useCampaignRewardsQuery({ campaignId, language });
  const ids = sortRewards(list?.rewards ?? []).map(({ reward_id }) => reward_id);
  const close = () => {
    setOpen(false);
    onClose();
  };

  if (isHere)
    return (
      <Opened
        key={current}
        first={begun}
        userId={userId}
        language={language}
        isShown={isShown}
        ids={ids}
        onMove={setCurrent}
        onClose={close}
      />
    );
  return (
    <FormDrawer
      isOpen={isShown}
      onClose={close}
      label={t('editing.reward.label')}
      header={
        <IconButton className={classes.last} label={t('action.close')} icon={<CloseIcon />} onClick={close} />
      }
      foot={null}
    >
      <div className={classes.coming}>
        <Unread of={call} where="RewardEditor" lines={8} />
      </div>
    </FormDrawer>
  );
}

interface OpenedProps {
  first: RewardAdmin;
  userId: number;
  language: Language;
  isShown: boolean;
  /** The ids of the campaign's rewards, in the order of the page. */
  ids: readonly number[];
  onMove: (rewardId: number) => void;
  onClose: () => void;
}

function Opened({ first, userId, language, isShown, ids, onMove, onClose }: OpenedProps) {
  const { t } = useTranslation();
  const editor = useRewardEditor(first, userId);
  const { base, draft, faults, count, isSaving, failure, save, show, discard } = editor;
  const place = ids.indexOf(base.reward_id);
  const previous = ids[place - 1];
  const next = place < 0 ? undefined : ids[place + 1];
  const isPhone = useIsPhone();
  const form = useRef<HTMLDivElement>(null);
  // The action that waits for a confirmation, because there are unsaved changes.
  const [pendingAction, setPendingAction] = useState<() => void>();
  const leave = (act: () => void) => {
    if (count > 0) setPendingAction(() => act);
    else act();
  };
  const title =
    draft.title[language] ||
    Object.values(draft.title).find(Boolean) ||
    t(isNew(base) ? 'editing.reward.newTitle' : 'editing.reward.unnamed');
  const state: State = isNew(base) ? 'notSaved' : base.active ? 'shown' : 'hidden';
  const wrong = Object.entries(faults).find(([, fault]) => fault);
  const focusWrong = () =>
    setTimeout(() => form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus());
  const attempt = (act: () => Promise<boolean>) =>
    void act().then((isSaved) => (isSaved ? undefined : focusWrong()));

  return (
    <>
      <FormDrawer
        isOpen={isShown}
        onClose={() => leave(onClose)}
        label={t('editing.reward.label')}
        header={
          <>
            <h2 className={classes.heading}>{title}</h2>
            <Chip tone={state === 'shown' ? 'spruce' : 'plain'}>{t(`editing.reward.${state}`)}</Chip>
            <span className={classes.last}>
              <IconButton
                label={t('editing.reward.previous')}
                icon={<ChevronUpIcon />}
                disabled={previous === undefined}
                onClick={() => leave(() => previous !== undefined && onMove(previous))}
              />
              <IconButton
                label={t('editing.reward.next')}
                icon={<ChevronDownIcon />}
                disabled={next === undefined}
                onClick={() => leave(() => next !== undefined && onMove(next))}
              />
              <IconButton label={t('action.close')} icon={<CloseIcon />} onClick={() => leave(onClose)} />
            </span>
          </>
        }
        foot={
          <>
            <p role="status" className={wrong || failure ? classes.wrong : classes.state}>
              {wrong?.[1] ? (
                <>
                  <AlertCircleIcon size={16} />
                  <FaultText fault={wrong[1]} />
                </>
              ) : failure ? (
                <>
                  <AlertCircleIcon size={16} />
                  {failure}
                </>
              ) : count > 0 ? (
                <>
                  <PencilIcon size={16} />
                  {t('editing.reward.unsaved', { count })}
                </>
              ) : (
                <>
                  {state !== 'notSaved' && <CheckIcon size={16} />}
                  {t(footOf(state, draft.isHidden))}
                </>
              )}
            </p>
            <span className={classes.last}>
              {count > 0 && (
                <Button variant="transparent" onClick={discard}>
                  {t('editing.reward.discard')}
                </Button>
              )}
              {count === 0 && state === 'hidden' && (
                <Button variant="outline" disabled={isSaving} onClick={() => attempt(show)}>
                  {t('editing.reward.show')}
                </Button>
              )}
              <Button loading={isSaving} onClick={() => attempt(save)}>
                {t('editing.reward.save')}
              </Button>
            </span>
          </>
        }
      >
        <div ref={form}>
          <RewardForm editor={editor} language={language} isPhone={isPhone} onDeleted={onClose} />
        </div>
      </FormDrawer>
      <ConfirmDialog
        isOpen={pendingAction !== undefined}
        title={t('editing.reward.leaveTitle')}
        confirmLabel={t('editing.reward.leave')}
        cancelLabel={t('form.stay')}
        isDestructive={false}
        onConfirm={() => {
          setPendingAction(undefined);
          pendingAction?.();
        }}
        onCancel={() => setPendingAction(undefined)}
      >
        {t('editing.reward.leaveText')}
      </ConfirmDialog>
    </>
  );
}

type State = 'notSaved' | 'shown' | 'hidden';

/** The text key of the footer while there are no unsaved changes. */
function footOf(state: State, isHidden: boolean) {
  if (state === 'notSaved') return isHidden ? 'editing.reward.newHidden' : 'editing.reward.newShown';
  return state === 'shown' ? 'editing.reward.allSaved' : 'editing.reward.savedHidden';
}
