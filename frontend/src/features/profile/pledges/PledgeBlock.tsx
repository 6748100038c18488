import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import type { OwnPledge } from '../../../api/own';
import { paths } from '../../../domain/paths';
import { takesPledges } from '../../../domain/stages';
import { useLanguage } from '../../../i18n';
import { formatMoney } from '../../../i18n/format';
import { pledgeMoney } from '../../../i18n/pledgeMoney';
import { Button } from '../../../ui/Button';
import { Picture } from '../../../ui/Picture';
import { Receipt } from '../../../ui/Receipt';
import { RewardTitle } from '../../../ui/RewardTitle';
import { UnderWayBox } from '../../../ui/underWay/UnderWayBox';
import { useUnderWay } from '../../../ui/underWay/useUnderWay';
import type { PledgeActs } from './acts';
import { AddressRow } from './AddressRow';
import { chargesOf } from './charges';
import { ChoiceRow } from './ChoiceRow';
import { MoneyLine } from '../../../ui/MoneyLine';
import classes from './MyPledgesPage.module.css';
import { NameRow } from './NameRow';
import { SumRow } from './SumRow';
import { Row } from './Row';
import { WithdrawalRow } from './WithdrawalRow';
import type { Backing } from '../../../ui/claims/backing';
import { mayHaveClaim } from '../../../ui/claims/mayHaveClaim';
import { lazyComponent } from '../../../ui/lazyComponent';

const ClaimPart = lazyComponent(
  () => import(/* webpackChunkName: "claim-part" */ '../../../ui/claims/ClaimPart'),
);

export interface PledgeBlockProps {
  pledge: OwnPledge;
  acts: PledgeActs;
  /** In milliseconds. */
  now: number;
  /** Its receipt is shown, and printing the page prints that alone. */
  hasReceipt: boolean;
  onReceipt: (isOpen: boolean) => void;
  /** By what its backer claims. */
  claimOf: Backing;
}

/** One pledge: what it is for, where its money is, its receipt, and what may be changed. */
export function PledgeBlock({ pledge, acts, now, hasReceipt, onReceipt, claimOf }: PledgeBlockProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { campaign, amount, currency, status, receipt_number: number } = pledge;
  const named = { id: campaign.campaign_id, slug: campaign.slug };
  const money = pledgeMoney(pledge, { t, language, now });
  // After the pledge was taken back: what becomes of its money.
  const sentence = useRef<HTMLHeadingElement>(null);
  // Nobody sees what was never paid, was taken back or went back.
  const isShown = status !== 'failed' && status !== 'refunded' && pledge.withdrawal.state !== 'done';
  const isWaiting = status === 'created' || status === 'awaiting_payment';
  const id = `pledge-${pledge.pledge_id}`;
  return (
    <section className={classes.pledge} aria-labelledby={id}>
      <div className={classes.screen}>
        <div className={classes.head}>
          <Picture
            name={campaign.project_pic}
            alt=""
            ratio={132 / 82}
            widths={[132, 264]}
            sizes="8.25rem"
            shape="thumb"
            className={classes.thumb}
          />
          <div>
            <h2 id={id} className={classes.title}>
              <Link to={paths.campaign(language, named)}>{campaign.title}</Link>
            </h2>
            <p className={classes.what}>
              {pledge.reward_title ? (
                <RewardTitle
                  title={pledge.reward_title}
                  language={pledge.reward_language}
                  within={t('myPledges.withReward', {
                    quantity: pledge.quantity,
                    title: pledge.reward_title,
                  })}
                />
              ) : (
                t('myPledges.withoutReward')
              )}
            </p>
          </div>
          <div className={classes.amount} data-with-us={money.isWithUs || undefined}>
            <b>{formatMoney(language, amount, { cents: true, currency })}</b>
            {pledge.payment_method && <span>{pledge.payment_method}</span>}
          </div>
        </div>
        <h3 ref={sentence} tabIndex={-1} className={classes.sentence}>
          {money.sentence}
        </h3>
        <p className={classes.next}>
          {campaign.hold && status === 'paid'
            ? t(campaign.hold === 'on_hold' ? 'hold.backer' : 'hold.backerStopped')
            : money.next}
        </p>
        <MoneyLine stops={money.stops} />
        {status === 'failed' && pledge.withdrawal.state !== 'done' && takesPledges(campaign) && (
          <Button component={Link} variant="light" className={classes.pay} to={paths.pledge(language, named)}>
            {t('myPledges.again')}
          </Button>
        )}
        {isWaiting && takesPledges(campaign) && <PayAct pledge={pledge} />}
        <div className={classes.rows}>
          {number ? (
            <Row
              label={t('myPledges.receipt.label')}
              value={number}
              action={
                <Button
                  variant="transparent"
                  size="sm"
                  aria-expanded={hasReceipt}
                  onClick={() => onReceipt(!hasReceipt)}
                >
                  {hasReceipt ? t('myPledges.receipt.hide') : t('myPledges.receipt.show')}
                </Button>
              }
            />
          ) : (
            status === 'processing' && (
              <Row label={t('myPledges.receipt.label')} value={t('myPledges.receipt.comes')} />
            )
          )}
          {isShown && <NameRow pledge={pledge} acts={acts} />}
          {isShown && <SumRow pledge={pledge} acts={acts} />}
          {pledge.shipping && <AddressRow acts={acts} shipping={pledge.shipping} />}
          <ChoiceRow pledge={pledge} acts={acts} />
          <WithdrawalRow pledge={pledge} acts={acts} onDone={() => sentence.current?.focus()} />
        </div>
        {mayHaveClaim(pledge) && <ClaimPart of={claimOf} />}
      </div>
      {hasReceipt && (
        <div className={classes.receipt} data-print-alone>
          <Receipt
            pledge={pledge}
            campaign={{ ...campaign, funding_rule: pledge.funding_rule }}
            method={chargesOf(pledge, { t, language })?.join(', ')}
            isPlain
          />
        </div>
      )}
    </section>
  );
}

/** The way to pay what is not paid yet; while a payment of it is asked about, what is known of that. */
function PayAct({ pledge }: { pledge: OwnPledge }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { campaign, currency, pledge_id: pledgeId, reward_id: rewardId } = pledge;
  const named = { id: campaign.campaign_id, slug: campaign.slug };
  const path = rewardId ? paths.pledgeReward(language, named, rewardId) : paths.pledge(language, named);
  const payment = useUnderWay(campaign.campaign_id, false);
  if (payment?.pledgeId === pledgeId)
    return <UnderWayBox payment={payment} currency={currency} path={path} />;
  return (
    <Button component={Link} variant="light" className={classes.pay} to={path}>
      {t('myPledges.pay')}
    </Button>
  );
}
