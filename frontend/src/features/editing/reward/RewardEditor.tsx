import { useMediaQuery } from '@mantine/hooks';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { isApiError } from '../../../api/apiError';
import { useCampaignRewardsQuery } from '../../../api/content';
import { useRewardAdminQuery, type RewardAdmin } from '../../../api/editing';
import { selectUser } from '../../../api/session';
import type { Language } from '../../../domain/languages';
import { sortRewards } from '../../../domain/rewards';
import { useErrorText } from '../../../i18n/errorText';
import { Button } from '../../../ui/Button';
import { Chip } from '../../../ui/Chip';
import { ConfirmDialog } from '../../../ui/ConfirmDialog';
import { FormDrawer } from '../../../ui/FormDrawer';
import { ChevronUpIcon, PencilIcon } from '../../../ui/editIcons';
import { ErrorState } from '../../../ui/ErrorState';
import { FaultText } from '../../../ui/FaultText';
import { IconButton } from '../../../ui/IconButton';
import { AlertCircleIcon, ChevronDownIcon, CloseIcon } from '../../../ui/icons';
import { LinesSkeleton } from '../../../ui/Skeletons';
import { useOpenedAfterMount } from '../../../ui/useOpenedAfterMount';
import classes from './RewardEditor.module.css';
import { RewardForm } from './RewardForm';
import { useRewardWriting } from './useRewardWriting';

export interface RewardEditorProps {
  campaignId: number;
  /** The reward that it opens with; others of the campaign are a step away. */
  rewardId: number;
  /** The page's: texts are written in it first. */
  language: Language;
  onClose: () => void;
}

/** Edits a reward in a drawer over the page. Saves when told to; until then the device keeps what was typed. */
export function RewardEditor({ campaignId, rewardId, language, onClose }: RewardEditorProps) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const [current, setCurrent] = useState(rewardId);
  const [isOpen, setOpen] = useState(true);
  const isShown = useOpenedAfterMount(isOpen);
  const user = useSelector(selectUser);
  // It outlives an ended session, whose answers are dropped.
  const [begun, setBegun] = useState<{ reward: RewardAdmin; userId: number }>();
  const isHere = begun?.reward.reward_id === current;
  const { data, error, refetch } = useRewardAdminQuery({ rewardId: current }, { skip: isHere });
  if (!isHere && user && data?.reward.reward_id === current)
    setBegun({ reward: data.reward, userId: user.user_id });
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
        first={begun.reward}
        userId={begun.userId}
        language={language}
        isShown={isShown}
        previous={ids[ids.indexOf(current) - 1]}
        next={ids.includes(current) ? ids[ids.indexOf(current) + 1] : undefined}
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
        {error ? (
          <ErrorState onRetry={refetch}>{isApiError(error) && errorText(error, 'RewardEditor')}</ErrorState>
        ) : (
          <LinesSkeleton lines={8} />
        )}
      </div>
    </FormDrawer>
  );
}

interface OpenedProps {
  first: RewardAdmin;
  userId: number;
  language: Language;
  isShown: boolean;
  previous?: number;
  next?: number;
  onMove: (rewardId: number) => void;
  onClose: () => void;
}

function Opened({ first, userId, language, isShown, previous, next, onMove, onClose }: OpenedProps) {
  const { t } = useTranslation();
  const writing = useRewardWriting(first, userId);
  const { base, draft, faults, count, isSaving, failure, save, discard } = writing;
  const isPhone = useMediaQuery('(max-width: 56.25em)');
  const form = useRef<HTMLDivElement>(null);
  // What somebody wanted to do who is asked first because of unsaved changes.
  const [wish, setWish] = useState<() => void>();
  const leave = (act: () => void) => {
    if (count > 0) setWish(() => act);
    else act();
  };
  const title =
    draft.title[language] || Object.values(draft.title).find(Boolean) || t('editing.reward.unnamed');
  const wrong = Object.entries(faults).find(([, fault]) => fault);
  const focusWrong = () =>
    setTimeout(() => form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus());

  return (
    <>
      <FormDrawer
        isOpen={isShown}
        onClose={() => leave(onClose)}
        label={t('editing.reward.label')}
        header={
          <>
            <h2 className={classes.heading}>{title}</h2>
            <Chip tone={base.active ? 'spruce' : 'plain'}>
              {t(base.active ? 'editing.reward.shown' : 'editing.reward.hidden')}
            </Chip>
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
                t('editing.reward.allSaved')
              )}
            </p>
            <span className={classes.last}>
              {count > 0 && (
                <Button variant="transparent" onClick={discard}>
                  {t('editing.reward.discard')}
                </Button>
              )}
              <Button
                loading={isSaving}
                onClick={() => void save().then((isSaved) => (isSaved ? undefined : focusWrong()))}
              >
                {t('editing.reward.save')}
              </Button>
            </span>
          </>
        }
      >
        <div ref={form}>
          <RewardForm writing={writing} language={language} isPhone={isPhone} onDeleted={onClose} />
        </div>
      </FormDrawer>
      <ConfirmDialog
        isOpen={wish !== undefined}
        title={t('editing.reward.leaveTitle')}
        confirmLabel={t('editing.reward.leave')}
        cancelLabel={t('form.stay')}
        isDestructive={false}
        onConfirm={() => {
          setWish(undefined);
          wish?.();
        }}
        onCancel={() => setWish(undefined)}
      >
        {t('editing.reward.leaveText')}
      </ConfirmDialog>
    </>
  );
}
