import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Campaign, Reward } from '../../api/content';
import { includedVatCents } from '../../domain/amounts';
import { isRecurring } from '../../domain/stages';
import type { Fault } from '../../domain/rules';
import { useLanguage } from '../../i18n';
import { FaultText } from '../../ui/FaultText';
import { Picture } from '../../ui/Picture';
import { ChargedBand } from './ChargedBand';
import { quantityFault } from './form/rules';
import { addedCostIndex, hasChosen, type Sum } from './form/sums';
import { type PledgeValues } from './form/values';
import { moneyOfCents } from './money';
import type { PayWords } from './payWords';
import classes from './Summary.module.css';
import { MonthlyTimeline, Timeline } from './Timeline';

export interface SummaryProps {
  campaign: Campaign;
  reward: Reward | undefined;
  values: PledgeValues;
  sum: Sum;
  /** The quantity's validation error, shown instead of a sum. */
  fault: Fault | undefined;
  /** Nothing is said of what will be charged, because it may have been charged already. */
  isUnknown?: boolean;
  words: PayWords;
  /** YYYY-MM-DD. */
  today: string;
  /** The submit area. */
  children: ReactNode;
}

/** The order's summary: its lines, what is charged now, and what happens to the money later. */
export function Summary(props: SummaryProps) {
  const { campaign, reward, values, sum, fault, isUnknown = false, words, today, children } = props;
  const { t } = useTranslation();
  const language = useLanguage();
  const money = (cents: number) => moneyOfCents(language, cents, campaign.currency);
  // The voluntary extra amount is a gift and includes no VAT.
  const vat = includedVatCents(sum.totalCents - sum.extraCents, reward?.vat_percentage ?? 0);
  return (
    <div className={classes.root}>
      <div className={classes.campaign}>
        <Picture
          name={campaign.project_pic}
          alt=""
          ratio={1}
          widths={[84, 168]}
          sizes="5.25rem"
          shape="thumb"
          className={classes.cover}
        />
        <div>
          <p className={classes.name}>{campaign.title}</p>
          <p className={classes.creator}>{campaign.creator.name}</p>
        </div>
      </div>
      {hasChosen(values, reward) && !fault ? (
        <>
          <dl className={classes.lines}>
            {linesOf(reward, values, sum).map(({ label, cents }) => (
              <div key={label}>
                <dt>{label === '' ? t(reward ? 'pledge.extraLine' : 'pledge.supportLine') : label}</dt>
                <dd>{money(cents)}</dd>
              </div>
            ))}
            <div className={classes.fee}>
              <dt>{t('pledge.fee')}</dt>
              <dd>{money(0)}</dd>
            </div>
          </dl>
          {!isUnknown && (
            <>
              <ChargedBand
                words={words}
                note={vat > 0 ? t('pledge.vat', { amount: money(vat) }) : undefined}
                sum={money(sum.totalCents)}
              />
              {isRecurring(campaign.stage) ? (
                <MonthlyTimeline sum={money(sum.totalCents)} />
              ) : (
                <Timeline
                  campaign={campaign}
                  hasReward={reward !== undefined}
                  sum={money(sum.totalCents)}
                  method={values.method}
                  today={today}
                />
              )}
            </>
          )}
        </>
      ) : isUnknown ? null : (
        <p className={classes.nothing}>
          {fault ? (
            <>
              {reward && quantityFault(values.quantity, reward) && `${t('pledge.quantity')}: `}
              <FaultText fault={fault} />
            </>
          ) : (
            t('pledge.nothingChosen')
          )}
        </p>
      )}
      {children}
    </div>
  );
}

interface SummaryLine {
  /** Empty for the voluntary amount. */
  label: string;
  cents: number;
}

function linesOf(reward: Reward | undefined, values: PledgeValues, sum: Sum): SummaryLine[] {
  const lines: SummaryLine[] = [];
  if (reward) {
    lines.push({
      label: sum.quantity > 1 ? `${sum.quantity} × ${reward.title}` : reward.title,
      cents: sum.rewardCents,
    });
    const added = reward.added_costs[addedCostIndex(values, reward)];
    if (added && sum.addedCostCents > 0) lines.push({ label: added.description, cents: sum.addedCostCents });
  }
  if (!reward || sum.extraCents > 0) lines.push({ label: '', cents: sum.extraCents });
  return lines;
}
