import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isApiError } from '../../../api/apiError';
import { keepOrderToken } from '../../../api/orderTokens';
import { useReleaseRaiseMutation } from '../../../api/pledging';
import type { OwnPledge } from '../../../api/own';
import { useLanguage } from '../../../i18n';
import { useErrorText } from '../../../i18n/errorText';
import { formatDate, formatMoney, formatTime } from '../../../i18n/format';
import { Button } from '../../../ui/Button';
import { lazyComponent } from '../../../ui/lazyComponent';
import type { PledgeActs } from './acts';
import { chargesOf } from './charges';
import own from './ChoiceForm.module.css';
import classes from './MyPledgesPage.module.css';
import { Row } from './Row';
import { useToPayment } from './useToPayment';

const ChoiceForm = lazyComponent(() => import(/* webpackChunkName: "choice-form" */ './ChoiceForm'));

export interface ChoiceRowProps {
  pledge: OwnPledge;
  acts: PledgeActs;
}

/** Whether reward, quantity and sum may be changed, with the form in place; or why they may not. */
export function ChoiceRow({ pledge, acts }: ChoiceRowProps) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const [isDone, setDone] = useState(false);
  const act = useRef<HTMLButtonElement>(null);
  const { state, number } = pledge.choice;
  if (state === 'none' || state === 'over') return null;
  const close = () => {
    setOpen(false);
    act.current?.focus();
  };
  return (
    <Row
      label={t('myPledges.choice.label')}
      value={
        <>
          <Term pledge={pledge} />
          <LastChange pledge={pledge} />
          <Charges pledge={pledge} />
        </>
      }
      action={
        state === 'open' && (
          <Button
            ref={act}
            variant="transparent"
            size="sm"
            aria-expanded={isOpen}
            onClick={() => {
              setDone(false);
              setOpen(!isOpen);
            }}
          >
            {t('myPledges.choice.act')}
          </Button>
        )
      }
    >
      <span role="status" className="tk-visually-hidden">
        {isDone && t('myPledges.choice.done')}
      </span>
      {state === 'waits' && <WaitingChange pledge={pledge} acts={acts} />}
      {state === 'open' && isOpen && (
        <ChoiceForm
          key={number}
          pledge={pledge}
          acts={acts}
          onKeep={close}
          onDone={() => {
            setDone(true);
            close();
          }}
        />
      )}
    </Row>
  );
}

function Term({ pledge: { choice } }: Pick<ChoiceRowProps, 'pledge'>) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { state, until, raise } = choice;
  if (raise && (state === 'waits' || (state === 'settling' && raise.status === 'processing'))) {
    const sum = (of: number) => formatMoney(language, of, { cents: true, currency: raise.currency });
    return t(state === 'waits' ? 'myPledges.choice.waits' : 'myPledges.choice.raiseSettling', {
      then: sum(raise.to_amount),
      sum: sum(raise.amount),
      time: formatTime(language, raise.payable_until),
    });
  }
  if (state !== 'open' && state !== 'none' && state !== 'over') return t(`myPledges.choice.${state}`);
  if (!until) return t('myPledges.choice.open');
  return t('myPledges.choice.until', { day: formatDate(language, until), time: formatTime(language, until) });
}

/** The ways on from a change that is not paid yet: to pay it, or to give it up. */
function WaitingChange({ pledge, acts }: ChoiceRowProps) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const toPayment = useToPayment(pledge.campaign);
  const [release, { isLoading, error }] = useReleaseRaiseMutation();
  const { raise } = pledge.choice;
  if (!raise) return null;
  const giveUp = async () => {
    keepOrderToken(raise.raise_id, raise.order_token);
    await release({ raiseId: raise.raise_id });
    acts.reread();
  };
  return (
    <div className={own.acts}>
      <div role="alert">
        {isApiError(error) && <p className={classes.failure}>{errorText(error, 'WaitingChange')}</p>}
      </div>
      <Button variant="transparent" size="sm" loading={isLoading} onClick={() => void giveUp()}>
        {t('myPledges.choice.giveUp')}
      </Button>
      <Button size="sm" onClick={() => toPayment(raise)}>
        {t('myPledges.choice.payMore')}
      </Button>
    </div>
  );
}

/** What was paid for a pledge that was charged more than once. */
function Charges({ pledge }: Pick<ChoiceRowProps, 'pledge'>) {
  const { t } = useTranslation();
  const language = useLanguage();
  return chargesOf(pledge, { t, language })?.map((text) => (
    <p key={text} className={classes.help}>
      {text}
    </p>
  ));
}

/** What the last changes came to, and where that money is. */
function LastChange({ pledge }: Pick<ChoiceRowProps, 'pledge'>) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { amount, amount_charged: charged = amount, amount_change_refunded: back = 0, currency } = pledge;
  const { changed_at: changedAt } = pledge.choice;
  if (!changedAt) return null;
  const sum = (of: number) => formatMoney(language, of, { cents: true, currency });
  const values = {
    day: formatDate(language, changedAt),
    charged: sum(charged),
    sum: sum(charged - amount),
    method: pledge.payment_method ?? '',
  };
  const key = charged === amount ? 'changed' : back >= charged - amount ? 'changedBack' : 'changedOnItsWay';
  return <p className={classes.help}>{t(`myPledges.choice.${key}`, values)}</p>;
}
