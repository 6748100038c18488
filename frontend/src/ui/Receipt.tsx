import { useId } from 'react';
import { Button } from './Button';
import { useTranslation } from 'react-i18next';
import type { CampaignPreview } from '../api/content';
import type { Pledge } from '../api/pledging';
import { useLanguage } from '../i18n';
import { formatDateTime, formatMoney } from '../i18n/format';
import { moneyTexts, type Funding } from '../i18n/moneyTexts';
import { PrinterIcon } from './icons';
import { Picture } from './Picture';
import classes from './Receipt.module.css';

export interface ReceiptProps {
  pledge: Pledge;
  campaign: Pick<CampaignPreview, 'title' | 'project_pic'> & Funding;
  /** Nothing has been paid, so there will be no receipt. */
  isOwed?: boolean;
  /** Without the campaign's picture, where that is shown already. */
  isPlain?: boolean;
}

/**
 * The receipt: lines, total, payment method, and when the money would be returned. Printing the page prints only this.
 * Until the receipt has a number, the same lines are shown as an order.
 */
export function Receipt({ pledge, campaign, isOwed = false, isPlain = false }: ReceiptProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const title = useId();
  const { currency, lines, paid_at: paidAt, vat_included: vat, receipt_number: number } = pledge;
  const money = (amount: number) => formatMoney(language, amount, { cents: true, currency });
  // The pledge's copy of the campaign has the newer sums. After a refund the funding rule no longer applies.
  const rule =
    pledge.status === 'refunded'
      ? undefined
      : moneyTexts({ ...campaign, ...pledge.campaign }, { t, language, hasReward: Boolean(pledge.reward_id) })
          .receipt;
  return (
    <section className={classes.root} aria-labelledby={title}>
      {!isPlain && (
        <Picture
          name={campaign.project_pic}
          alt=""
          ratio={16 / 10}
          widths={[480, 960]}
          sizes="(max-width: 56.24em) 100vw, 29.5rem"
          isFirst
          shape="none"
          className={classes.cover}
        />
      )}
      <div className={classes.paper}>
        <div className={classes.head}>
          <h2 id={title} className={classes.name}>
            {number ? t('thanks.receipt') : t('thanks.order')}
          </h2>
          {!isOwed && <span className={classes.number}>{number ?? t('thanks.receiptComes')}</span>}
        </div>
        <p className={classes.onPaper}>
          {t('site.name')} · {campaign.title} · {pledge.email}
        </p>
        <dl className={classes.lines}>
          {lines.map(({ label, amount }) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{money(amount)}</dd>
            </div>
          ))}
          <div className={classes.total}>
            <dt>
              {paidAt ? t('thanks.paidAt', { time: formatDateTime(language, paidAt) }) : t('thanks.total')}
            </dt>
            <dd>{money(pledge.amount)}</dd>
          </div>
          {vat !== undefined && vat > 0 && (
            <div className={classes.vat}>
              <dt>{t('thanks.vat')}</dt>
              <dd>{money(vat)}</dd>
            </div>
          )}
          {pledge.amount_refunded !== undefined && pledge.amount_refunded > 0 && (
            <div className={classes.vat}>
              <dt>{t('thanks.returned')}</dt>
              <dd>{money(pledge.amount_refunded)}</dd>
            </div>
          )}
        </dl>
        {!isOwed && (
          <>
            <p className={classes.rule}>
              {[pledge.payment_method && `${pledge.payment_method}.`, rule].filter(Boolean).join(' ')}
            </p>
            {number && (
              <Button
                variant="transparent"
                size="sm"
                className={classes.print}
                leftSection={<PrinterIcon size={16} />}
                onClick={() => window.print()}
              >
                {t('thanks.print')}
              </Button>
            )}
          </>
        )}
      </div>
    </section>
  );
}
