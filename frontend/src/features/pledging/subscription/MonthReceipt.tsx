import { useTranslation } from 'react-i18next';
import type { ChargeReceipt, Subscription } from '../../../api/subscriptions';
import { useLanguage } from '../../../i18n';
import { formatDate, formatMoney, formatMonth } from '../../../i18n/format';
import { payerOf, ReceiptPaper } from '../../../ui/ReceiptPaper';
import { RewardTitle } from '../../../ui/RewardTitle';

export interface MonthReceiptProps {
  record: Pick<
    Subscription,
    'currency' | 'amount' | 'campaign' | 'reward_title' | 'reward_language' | 'email' | 'payment_method'
  > &
    Partial<Pick<Subscription, 'first_name' | 'last_name'>>;
  /** Undefined until the first charge has one. */
  charge: ChargeReceipt | undefined;
  /** Nothing has been paid, so there will be no receipt. */
  isOwed?: boolean;
  isPlain?: boolean;
}

/** The receipt of one month of support. */
export function MonthReceipt({ record, charge, isOwed, isPlain }: MonthReceiptProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { currency, reward_title } = record;
  const money = (amount: number) => formatMoney(language, amount, { cents: true, currency });
  const amount = money(charge?.amount ?? record.amount);
  const what = reward_title || t('subscription.support');
  const label = charge
    ? t('subscription.receiptLine', { what, month: formatMonth(language, charge.day.slice(0, 7)) })
    : what;
  return (
    <ReceiptPaper
      number={charge?.receipt_number}
      campaign={record.campaign}
      payer={payerOf(record)}
      isSold={Boolean(reward_title)}
      email={record.email}
      lines={[
        {
          label: reward_title ? (
            <RewardTitle title={reward_title} language={record.reward_language} within={label} />
          ) : (
            label
          ),
          amount,
        },
      ]}
      paid={charge && t('thanks.paidAt', { time: formatDate(language, charge.day) })}
      total={amount}
      vat={charge?.vat_included ? money(charge.vat_included) : undefined}
      vatPercentage={charge?.vat_percentage}
      returned={charge?.amount_refunded ? money(charge.amount_refunded) : undefined}
      method={charge?.payment_method ?? record.payment_method}
      rule={t('money.receipt.monthly')}
      isOwed={isOwed}
      isPlain={isPlain}
    />
  );
}
