import { useTranslation } from 'react-i18next';
import type { Reward } from '../../../api/content';
import { useLanguage } from '../../../i18n';
import { formatCount, formatMoney, formatMonth } from '../../../i18n/format';
import { Picture } from '../../../ui/Picture';
import classes from './ReviewPage.module.css';

export interface ReviewedRewardProps {
  reward: Reward;
  currency: string;
  /** The language of its texts, if it is not the page's. */
  lang?: string;
}

/** All that a backer is promised with a reward, and asked. */
export function ReviewedReward({ reward, currency, lang }: ReviewedRewardProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const money = (sum: number) => formatMoney(language, sum, { cents: sum % 1 !== 0, currency });
  const { stock, vat_percentage: vat, delivery, added_costs: costs, custom_questions: questions } = reward;
  const asked = [
    ...questions.filter(({ text }) => text !== 'ask_for_address').map(({ text }) => text),
    ...(reward.asks_for_address ? [t('review.changes.address')] : []),
  ];
  const facts = [
    [t('review.changes.rewardKind'), t(`editing.reward.kinds.${reward.kind}`)],
    [t('review.changes.stock'), stock > 0 ? formatCount(language, stock) : t('review.changes.unlimited')],
    [t('review.changes.delivery'), delivery && formatMonth(language, delivery)],
    [t('review.changes.vat'), vat === undefined ? '' : `${vat} %`],
    [
      t('review.changes.costs'),
      costs.map(({ amount, description }) => `${money(amount)} ${description}`).join(', '),
    ],
    [t('review.changes.questions'), asked.join(' · ')],
  ].filter(([, said]) => said);
  return (
    <>
      <p className={classes.amount}>{money(reward.amount)}</p>
      <h3 lang={lang}>{reward.title}</h3>
      <p lang={lang}>{reward.description}</p>
      {reward.image && (
        <div className={classes.picture}>
          <Picture
            name={reward.image}
            alt={reward.image_alt}
            ratio={1.6}
            widths={[192, 384]}
            sizes="12rem"
            shape="thumb"
          />
          {reward.image_alt && (
            <p className="tk-small" lang={lang}>
              {reward.image_alt}
            </p>
          )}
        </div>
      )}
      <ul className={classes.facts}>
        {facts.map(([name, said]) => (
          <li key={name}>
            {name}: {said}
          </li>
        ))}
      </ul>
    </>
  );
}
