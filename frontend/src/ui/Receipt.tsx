import { useTranslation } from 'react-i18next';
import type { CampaignPreview } from '../api/content';
import type { LinkedPledge, Pledge } from '../api/pledging';
import { useLanguage } from '../i18n';
import { formatDateTime, formatMoney } from '../i18n/format';
import { moneyTexts, type Funding } from '../i18n/moneyTexts';
import { payerOf, ReceiptPaper } from './ReceiptPaper';
import { RewardTitle } from './RewardTitle';

export interface ReceiptProps {
  /** What a mailed link shows has nothing of who has paid. */
  pledge: Omit<LinkedPledge, 'funding_rule'> & Partial<Pick<Pledge, 'email' | 'first_name' | 'last_name'>>;
  campaign: Pick<CampaignPreview, 'title' | 'project_pic' | 'creator'> & Funding;
  /** Nothing has been paid, so there will be no receipt. */
  isOwed?: boolean;
  /** Without the campaign's picture, where that is shown already. */
  isPlain?: boolean;
  /** How it was paid, where that was in more than one charge. */
  method?: string | undefined;
}

/** A pledge's receipt, with when the money would be returned. */
export function Receipt({ pledge, campaign, isOwed = false, isPlain = false, method }: ReceiptProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { currency, paid_at: paidAt, amount_charged: charged } = pledge;
  const money = (amount: number) => formatMoney(language, amount, { cents: true, currency });
  // The pledge's copy of the campaign has the newer sums. After a refund the funding rule no longer applies.
  const rule =
    pledge.status === 'refunded' || pledge.status === 'withdrawn'
      ? undefined
      : moneyTexts({ ...campaign, ...pledge.campaign }, { t, language, hasReward: Boolean(pledge.reward_id) })
          .receipt;
  return (
    <ReceiptPaper
      number={pledge.receipt_number}
      campaign={campaign}
      payer={payerOf(pledge)}
      isSold={Boolean(pledge.reward_id)}
      email={pledge.email}
      lines={pledge.lines.map(({ label, amount }, place) => ({
        label:
          place === 0 && pledge.reward_id ? (
            <RewardTitle title={label} language={pledge.reward_language} />
          ) : (
            label
          ),
        amount: money(amount),
      }))}
      paid={paidAt && t('thanks.paidAt', { time: formatDateTime(language, paidAt) })}
      total={money(pledge.amount)}
      vat={pledge.vat_included ? money(pledge.vat_included) : undefined}
      vatPercentage={pledge.vat_percentage}
      returned={pledge.amount_refunded ? money(pledge.amount_refunded) : undefined}
      changed={charged ? { charged: money(charged), back: money(charged - pledge.amount) } : undefined}
      method={method ?? pledge.payment_method}
      rule={rule}
      isOwed={isOwed}
      isPlain={isPlain}
    />
  );
}
