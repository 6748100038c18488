import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isApiError, type ApiError } from '../../../api/apiError';
import { content, useCampaignRewardsQuery, type Reward } from '../../../api/content';
import { useChangeRewardMutation, useCopyRewardMutation } from '../../../api/editing';
import { useAppDispatch } from '../../../api/useAppDispatch';
import { foreignLang } from '../../../domain/languages';
import { sortRewards } from '../../../domain/rewards';
import { campaignStages } from '../../../domain/stages';
import { useLanguage } from '../../../i18n';
import { formatMoney } from '../../../i18n/format';
import { Button } from '../../../ui/Button';
import { Chip } from '../../../ui/Chip';
import { CopyIcon, PencilIcon } from '../../../ui/editIcons';
import { IconButton } from '../../../ui/IconButton';
import { EyeIcon, EyeOffIcon, PlusIcon } from '../../../ui/icons';
import { lazyComponent } from '../../../ui/lazyComponent';
import { TextButton } from '../../../ui/TextButton';
import { Unread } from '../../../ui/Unread';
import { unsavedReward } from '../reward/unsavedReward';
import { useEditor } from './useCampaignEditor';
import { FieldErrorText } from './FieldErrorText';
import { ReviewerNotes } from './ReviewerNotes';
import classes from './RewardList.module.css';

const RewardEditor = lazyComponent(async () => ({
  default: (await import(/* webpackChunkName: "reward-editor" */ '../reward/RewardEditor')).RewardEditor,
}));

export interface RewardListProps {
  /** Whether the checklist's item for rewards or goals leads here. In a monthly campaign it leads to the goals. */
  isFirst: boolean;
}

/** The rewards, cheapest first. Each can be shown or hidden here, and edited in a drawer. */
export function RewardList({ isFirst }: RewardListProps) {
  const { t } = useTranslation();
  const pageLanguage = useLanguage();
  const { admin, campaignId, language, refresh, userId } = useEditor();
  const call = useCampaignRewardsQuery({ campaignId, language });
  const { data } = call;
  const dispatch = useAppDispatch();
  const [change] = useChangeRewardMutation();
  const [copy] = useCopyRewardMutation();
  // Without rewardId: a new reward.
  const [opened, setOpened] = useState<{ rewardId?: number }>();
  const [failure, setFailure] = useState<ApiError>();

  // In an open campaign a visible reward can be bought at once, so new ones start hidden.
  const isOpen = admin.stage !== campaignStages.draft && admin.stage !== campaignStages.preparing;

  // The drawer cannot return the focus itself: it replaces another drawer, which is shown while the reward loads.
  const opener = useRef<HTMLElement>(undefined);
  useEffect(() => {
    if (opened === undefined) opener.current?.focus({ preventScroll: true });
  }, [opened]);

  const open = (button: HTMLElement, rewardId?: number) => {
    opener.current = button;
    setFailure(undefined);
    setOpened({ rewardId });
  };
  // An unsaved new reward on this device. Read only while the drawer is closed, because the drawer writes it.
  const begun = !opened && unsavedReward(userId, { reward_id: 0, campaign_id: campaignId }).read();
  const turn = async ({ reward_id: rewardId, active }: Reward) => {
    setFailure(undefined);
    const turned = await change({ rewardId, rewardChange: { active: active === 1 ? 0 : 1 } });
    if (isApiError(turned.error)) setFailure(turned.error);
    await refresh();
  };
  const copyOf = async ({ reward_id: rewardId }: Reward) => {
    setFailure(undefined);
    const copied = await copy({ rewardId, 'Idempotency-Key': crypto.randomUUID() });
    if (isApiError(copied.error)) setFailure(copied.error);
    dispatch(content.util.invalidateTags([{ type: 'Campaign', id: campaignId }]));
    await refresh();
  };
  const close = () => {
    setOpened(undefined);
    void refresh();
  };

  return (
    <section
      className={classes.root}
      id={isFirst ? 'offer' : undefined}
      aria-label={t('campaignPage.rewards')}
    >
      <div className={classes.head}>
        <h2>{t('campaignPage.rewards')}</h2>
        <Button
          size="sm"
          variant="light"
          leftSection={<PlusIcon size={16} />}
          onClick={({ currentTarget }) => open(currentTarget)}
        >
          {t('editing.campaign.rewards.add')}
        </Button>
      </div>
      {/* In a monthly campaign the notes on both are shown at the goals. */}
      {isFirst && <ReviewerNotes parts={['rewards', 'goals']} />}
      <FieldErrorText error={failure} />
      {!data && <Unread of={call} where="RewardList" lines={4} />}
      {data?.rewards.length === 0 && !begun && (
        <p className={classes.line}>{t('editing.campaign.rewards.none')}</p>
      )}
      <ul className={classes.list}>
        {sortRewards(data?.rewards ?? []).map((reward) => {
          const name = reward.title || t('editing.reward.unnamed');
          const isShown = reward.active === 1;
          const lang = reward.title ? foreignLang(language, pageLanguage) : undefined;
          return (
            <li
              key={reward.reward_id}
              className={classes.reward}
              data-hidden={isShown ? undefined : true}
              data-pictured={isShown && reward.image !== '' ? true : undefined}
            >
              <div className={classes.top}>
                <b className={classes.amount}>{formatMoney(pageLanguage, reward.amount, { cents: false })}</b>
                <span>
                  <IconButton
                    label={t(isShown ? 'editing.campaign.rewards.hide' : 'editing.campaign.rewards.show', {
                      name,
                    })}
                    icon={isShown ? <EyeIcon /> : <EyeOffIcon />}
                    onClick={() => void turn(reward)}
                  />
                  <IconButton
                    label={t('editing.campaign.rewards.copy', { name })}
                    icon={<CopyIcon />}
                    onClick={() => void copyOf(reward)}
                  />
                  <IconButton
                    label={t('editing.campaign.rewards.edit', { name })}
                    icon={<PencilIcon />}
                    data-edit
                    onClick={({ currentTarget }) => open(currentTarget, reward.reward_id)}
                  />
                </span>
              </div>
              <h3 className={classes.title}>
                <span lang={lang}>{name}</span>
              </h3>
              {isShown ? (
                <>
                  <p className={classes.line} lang={lang}>
                    {reward.description}
                  </p>
                  <p className={classes.facts}>
                    {[
                      reward.stock > 0
                        ? t('editing.campaign.rewards.stock', { count: reward.stock })
                        : t('reward.unlimited'),
                      t('editing.campaign.rewards.reserved', { count: reward.stock_reserved }),
                      reward.asks_for_address && t('editing.campaign.rewards.asksAddress'),
                    ]
                      .filter(Boolean)
                      .join(' · ')}
                  </p>
                </>
              ) : (
                <p className={classes.state}>
                  <Chip>{t('editing.reward.hidden')}</Chip>
                  {reward.title && reward.amount > 0 ? (
                    <TextButton look="aside" onPress={() => void turn(reward)}>
                      {t('editing.reward.show')}
                      <span className="tk-visually-hidden">: {name}</span>
                    </TextButton>
                  ) : (
                    t('editing.campaign.rewards.notWhole')
                  )}
                </p>
              )}
            </li>
          );
        })}
        {begun && (
          <li className={classes.reward} data-hidden>
            <h3 className={classes.title}>
              {Object.values(begun.parts.form?.title ?? {}).find(Boolean) ?? t('editing.reward.newTitle')}
            </h3>
            <p className={classes.state}>
              <Chip>{t('editing.reward.notSaved')}</Chip>
              <TextButton look="aside" onPress={() => setOpened({})}>
                {t('editing.campaign.rewards.goOn')}
              </TextButton>
            </p>
          </li>
        )}
      </ul>
      {opened && (
        <RewardEditor
          campaignId={campaignId}
          userId={userId}
          rewardId={opened.rewardId}
          isNewShown={!isOpen}
          isMonthly={admin.opens_as === campaignStages.recurring}
          language={language}
          onClose={close}
        />
      )}
    </section>
  );
}
