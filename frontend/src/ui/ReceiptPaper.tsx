import { useId, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { CampaignPreview } from '../api/content';
import { Button } from './Button';
import { PrinterIcon } from './icons';
import { Picture } from './Picture';
import classes from './Receipt.module.css';

/** Sums are formatted. */
export interface ReceiptPaperProps {
  /** Undefined until there is one. */
  number: string | undefined;
  campaign: Pick<CampaignPreview, 'title' | 'project_pic' | 'creator'>;
  /** Who has paid; undefined where it is not told. */
  payer: string | undefined;
  /** What was bought is sold by the creator; other support goes to them. */
  isSold: boolean;
  email: string | undefined;
  lines: readonly { label: ReactNode; amount: string }[];
  /** When it was paid, as a sentence; undefined if it is not. */
  paid: string | undefined;
  total: string;
  vat: string | undefined;
  /** The rate of it. */
  vatPercentage: number | undefined;
  returned: string | undefined;
  /** What was paid, and what of it goes back, of a pledge that was changed afterwards. */
  changed?: { charged: string; back: string };
  method: string | undefined;
  /** What happens to the money. */
  rule?: string;
  /** Nothing has been paid, so there will be no receipt. */
  isOwed?: boolean;
  /** Without the campaign's picture, where that is shown already. */
  isPlain?: boolean;
}

/**
 * A receipt: lines, total and payment method. Printing the page prints only this. Until the receipt has a number, the
 * same lines are shown as an order.
 */
export function ReceiptPaper(props: ReceiptPaperProps) {
  const { number, campaign, payer, isSold, email, lines, paid, total, vat, vatPercentage } = props;
  const { returned, changed, method, rule, isOwed, isPlain } = props;
  const { t } = useTranslation();
  const title = useId();
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
          {[t('site.name'), campaign.title, email].filter(Boolean).join(' · ')}
        </p>
        <dl className={classes.lines}>
          {lines.map(({ label, amount }, place) => (
            <div key={place}>
              <dt>{label}</dt>
              <dd>{amount}</dd>
            </div>
          ))}
          <div className={classes.total}>
            <dt>{(!changed && paid) || t('thanks.total')}</dt>
            <dd>{total}</dd>
          </div>
          {vat && (
            <div className={classes.vat}>
              <dt>{vatPercentage ? t('thanks.vatOf', { percent: vatPercentage }) : t('thanks.vat')}</dt>
              <dd>{vat}</dd>
            </div>
          )}
          {changed && (
            <>
              <div className={classes.vat}>
                <dt>{paid}</dt>
                <dd>{changed.charged}</dd>
              </div>
              <div className={classes.vat}>
                <dt>{t('thanks.changed')}</dt>
                <dd>{changed.back}</dd>
              </div>
            </>
          )}
          {returned && (
            <div className={classes.vat}>
              <dt>{t('thanks.returned')}</dt>
              <dd>{returned}</dd>
            </div>
          )}
        </dl>
        {!isOwed && (
          <>
            <p className={classes.rule}>
              {payer && `${t('thanks.payer', { name: payer })}. `}
              {t(isSold ? 'thanks.sold' : 'thanks.given', { creator: campaign.creator.name })}
            </p>
            <p className={classes.rule}>{[method && `${method}.`, rule].filter(Boolean).join(' ')}</p>
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

/** The name of who has paid; undefined where it is not told. */
export function payerOf({ first_name, last_name }: { first_name?: string; last_name?: string }) {
  return [first_name, last_name].filter(Boolean).join(' ') || undefined;
}
