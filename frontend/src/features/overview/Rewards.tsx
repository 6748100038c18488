import { useTranslation } from 'react-i18next';
import type { CampaignOverview } from '../../api/editing';
import { isGone, isScarce, stockLeft } from '../../domain/stock';
import { useLanguage } from '../../i18n';
import { formatMoney } from '../../i18n/format';
import { Chip } from '../../ui/Chip';
import part from './Part.module.css';
import classes from './Rewards.module.css';

// A larger stock is drawn as a bar, because one dot for each piece would not fit.
const maxPips = 12;

/** Each reward with its stock and its backers. */
export function Rewards({
  overview: { rewards, without_reward, currency, monthly },
}: {
  overview: CampaignOverview;
}) {
  const { t } = useTranslation();
  const language = useLanguage();
  const money = (amount: number) => formatMoney(language, amount, { cents: false, currency });
  if (rewards.length === 0 && without_reward.backers === 0) return null;
  return (
    <section aria-labelledby="overview-rewards">
      <h2 id="overview-rewards" className={part.sideHead}>
        {monthly ? t('overview.monthly.rewards') : t('overview.rewards')}
      </h2>
      <ul className={part.list}>
        {rewards.map((reward) => {
          const { reward_id, title, amount, stock, stock_reserved, backers } = reward;
          const left = stockLeft(reward);
          return (
            <li key={reward_id} className={classes.reward}>
              <b>{money(amount)}</b>
              <span>{title}</span>
              <Chip
                tone={left === undefined ? 'spruce' : isScarce(reward) && !isGone(reward) ? 'cloud' : 'plain'}
              >
                {left === undefined
                  ? t('reward.unlimited')
                  : left === 0
                    ? t('reward.goneChip')
                    : t('reward.left', { count: left })}
              </Chip>
              <span className={classes.stock} aria-hidden="true">
                {stock > maxPips && (
                  <span className={`${part.bar} ${classes.bar}`}>
                    <span style={{ width: `${(Math.min(stock, stock_reserved) / stock) * 100}%` }} />
                  </span>
                )}
                {stock <= maxPips &&
                  Array.from({ length: stock }, (_, place) => (
                    <span key={place} className={place < stock_reserved ? classes.pipTaken : classes.pip} />
                  ))}
              </span>
              <span className="tk-small">
                {stock
                  ? t('campaignPage.reserved', { reserved: stock_reserved, stock })
                  : t('overview.rewardBackers', { count: backers })}
              </span>
            </li>
          );
        })}
      </ul>
      {without_reward.backers > 0 && (
        <p className={part.note}>
          {t('overview.without', { count: without_reward.backers, amount: money(without_reward.amount) })}
        </p>
      )}
    </section>
  );
}
