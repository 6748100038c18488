import { Button } from '../../../ui/Button';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import type { Campaign, Reward } from '../../../api/content';
import { isGone, isScarce, stockLeft } from '../../../domain/stock';
import { useLanguage } from '../../../i18n';
import { formatCount, formatMoney, formatMonth } from '../../../i18n/format';
import { Chip } from '../../../ui/Chip';
import { Picture } from '../../../ui/Picture';
import { rewardPath } from './pledgePath';
import classes from './RewardCard.module.css';
import { useWithdrawalText } from './useWithdrawalText';

export interface RewardCardProps {
  reward: Reward;
  campaign: Campaign;
  /** The campaign takes pledges, so that the reward can be chosen. */
  isOffered: boolean;
  isMonthly: boolean;
  /** An address with it was opened. */
  isSelected: boolean;
}

/** A reward. Choosing it leads to the checkout. */
export function RewardCard({ reward, campaign, isOffered, isMonthly, isSelected }: RewardCardProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const isOut = isGone(reward);
  const amount = formatMoney(language, reward.amount, { cents: false, currency: campaign.currency });
  const titleId = `reward-${reward.reward_id}`;
  const state = isOut ? classes.gone : isSelected ? classes.selected : '';

  return (
    <article aria-labelledby={titleId} className={`${classes.root} ${state}`}>
      {reward.image && (
        <Picture
          name={reward.image}
          alt={reward.image_alt}
          ratio={2.5}
          widths={[384, 768]}
          sizes="(min-width: 56.25em) 24rem, calc(100vw - 2.5rem)"
          shape="none"
        />
      )}
      <div className={classes.inside}>
        <div className={classes.top}>
          <p className={classes.amount}>{isMonthly ? t('campaign.aMonth', { amount }) : amount}</p>
          {/* "6 left" would be misleading if the campaign takes no pledges. */}
          {(isOffered || isOut) && <StockChip reward={reward} />}
        </div>
        <h3 id={titleId} className={classes.title}>
          {reward.title}
        </h3>
        <p className={classes.text}>{reward.description}</p>
        <RewardMeta reward={reward} isMonthly={isMonthly} isCountHidden={campaign.hide_member_count} />
        {isOut && <p className={classes.out}>{t('reward.gone')}</p>}
        {isOffered && !isOut && (
          <Button
            component={Link}
            to={rewardPath(language, campaign, reward)}
            variant={isSelected ? 'filled' : 'outline'}
            fullWidth
            aria-describedby={titleId}
          >
            {isSelected ? t('campaignPage.selectedNext') : t('campaignPage.select')}
          </Button>
        )}
      </div>
    </article>
  );
}

function StockChip({ reward }: { reward: Reward }) {
  const { t } = useTranslation();
  const left = stockLeft(reward);
  if (left === undefined) return <Chip tone="spruce">{t('reward.unlimited')}</Chip>;
  if (left === 0) return <Chip>{t('reward.goneChip')}</Chip>;
  return <Chip tone={isScarce(reward) ? 'cloud' : 'plain'}>{t('reward.left', { count: left })}</Chip>;
}

interface RewardMetaProps {
  reward: Reward;
  isMonthly: boolean;
  isCountHidden: boolean;
}

function RewardMeta({ reward, isMonthly, isCountHidden }: RewardMetaProps) {
  const { t } = useTranslation();
  const withdrawalText = useWithdrawalText();
  const language = useLanguage();
  const { stock, stock_reserved, backers, delivery, vat_percentage } = reward;
  const facts = [
    stock > 0
      ? t('campaignPage.reserved', {
          reserved: formatCount(language, stock_reserved),
          stock: formatCount(language, stock),
        })
      : isCountHidden || backers === 0
        ? undefined
        : t('campaignPage.backersCount', { count: backers }),
    delivery ? t('campaignPage.delivery', { month: formatMonth(language, delivery) }) : undefined,
    vat_percentage ? t('campaignPage.vat', { percent: vat_percentage }) : undefined,
    // Monthly support is stopped at any time.
    isMonthly ? undefined : withdrawalText(reward),
  ].filter(Boolean);
  return (
    <ul className={classes.meta}>
      {facts.map((fact) => (
        <li key={fact}>{fact}</li>
      ))}
    </ul>
  );
}
