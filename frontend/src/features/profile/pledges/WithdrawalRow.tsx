import { useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isLost, type ApiError } from '../../../api/apiError';
import type { OwnPledge } from '../../../api/own';
import { useLanguage } from '../../../i18n';
import { useErrorText } from '../../../i18n/errorText';
import { formatMoney } from '../../../i18n/format';
import { Button } from '../../../ui/Button';
import type { PledgeActs } from './acts';
import { ContractFacts } from './ContractFacts';
import classes from './MyPledgesPage.module.css';
import { Row } from './Row';
import own from './WithdrawalRow.module.css';
import { isAfterCampaign, WithdrawalTerm } from './WithdrawalTerm';

export interface WithdrawalRowProps {
  pledge: OwnPledge;
  acts: PledgeActs;
  /** It is taken back, and the row gone. */
  onDone: () => void;
}

/** Until when a pledge may be taken back, with the question that comes before; or why it may not. */
export function WithdrawalRow({ pledge, acts, onDone }: WithdrawalRowProps) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const act = useRef<HTMLButtonElement>(null);
  const { state } = pledge.withdrawal;
  if (state === 'none' || state === 'done') return null;
  return (
    <Row
      label={t('myPledges.withdrawal.label')}
      value={<WithdrawalTerm pledge={pledge} />}
      action={
        state === 'open' && (
          <Button
            ref={act}
            variant="transparent"
            size="sm"
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
          >
            {t(isAfterCampaign(pledge) ? 'myPledges.withdrawal.after.act' : 'myPledges.withdrawal.act')}
          </Button>
        )
      }
    >
      {state === 'open' && isOpen && (
        <Question
          pledge={pledge}
          acts={acts}
          onKeep={() => {
            setOpen(false);
            act.current?.focus();
          }}
          onDone={onDone}
        />
      )}
    </Row>
  );
}

interface QuestionProps extends WithdrawalRowProps {
  onKeep: () => void;
}

/** What becomes of money, reward and name; nothing of what the campaign loses. After the campaign, what one withdraws from. */
function Question({ pledge, acts, onKeep, onDone }: QuestionProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const errorText = useErrorText();
  const id = useId();
  const title = useRef<HTMLHeadingElement>(null);
  const [isGoing, setGoing] = useState(false);
  const [failure, setFailure] = useState('');
  useEffect(() => title.current?.focus(), []);
  const {
    status,
    payment_method: method,
    amount_refunded: refunded = 0,
    amount_contested: contested = 0,
  } = pledge;
  const sum = (of: number) => formatMoney(language, of, { cents: true, currency: pledge.currency });
  const amount = sum(pledge.amount - refunded - contested);
  const which = contested > 0 ? 'notAtBank' : refunded > 0 ? 'rest' : 'all';
  const isAfter = isAfterCampaign(pledge);
  const what = status === 'processing' ? 'settling' : method ? 'whatFrom' : 'what';

  const withdraw = async () => {
    setFailure('');
    setGoing(true);
    const error = await acts.withdraw();
    setGoing(false);
    if (!error) onDone();
    else if (isLost(error)) setFailure(t('myPledges.withdrawal.unknown'));
    else setFailure(`${t('myPledges.withdrawal.failed')}. ${errorText(error as ApiError, 'WithdrawalRow')}`);
  };
  return (
    <section className={own.box} aria-labelledby={id}>
      <h4 ref={title} id={id} tabIndex={-1} className={own.title}>
        {t(isAfter ? 'myPledges.withdrawal.after.ask' : 'myPledges.withdrawal.ask', { amount })}
      </h4>
      <p className={own.what}>{t(`myPledges.withdrawal.${what}`, { method })}</p>
      <dl className={own.facts}>
        <div>
          <dt>{t('myPledges.withdrawal.returned')}</dt>
          <dd>
            <b>{amount}</b> <span>{t(`myPledges.withdrawal.${which}`)}</span>
          </dd>
        </div>
        {contested > 0 && (
          <div>
            <dt>{t('myPledges.withdrawal.atBank')}</dt>
            <dd>
              <b>{sum(contested)}</b> <span>{t('myPledges.withdrawal.atBankNote')}</span>
            </dd>
          </div>
        )}
        {isAfter && <ContractFacts pledge={pledge} />}
        {!isAfter && pledge.reward_title && (
          <div>
            <dt>{t('myPledges.withdrawal.reward')}</dt>
            <dd>
              <b>{t('myPledges.withdrawal.free')}</b>
            </dd>
          </div>
        )}
        <div>
          <dt>{t('myPledges.withdrawal.name')}</dt>
          <dd>
            <b>{t('myPledges.withdrawal.gone')}</b>
          </dd>
        </div>
        {!isAfter && pledge.receipt_number && (
          <div>
            <dt>{t('myPledges.withdrawal.receipt')}</dt>
            <dd>
              <b>{t('myPledges.withdrawal.kept')}</b>
            </dd>
          </div>
        )}
      </dl>
      <p className={classes.help}>
        {isAfter
          ? t(`myPledges.withdrawal.after.${pledge.withdrawal.sent_on ? 'return' : 'noReturn'}`)
          : t(`myPledges.withdrawal.${pledge.reward_title ? 'again' : 'againPlain'}`)}
      </p>
      <div role="alert">{failure && <p className={classes.failure}>{failure}</p>}</div>
      <div className={own.acts}>
        <Button variant="transparent" onClick={onKeep}>
          {t(isAfter ? 'myPledges.withdrawal.after.keep' : 'myPledges.withdrawal.keep')}
        </Button>
        <Button variant="outline" color="danger" loading={isGoing} onClick={() => void withdraw()}>
          {isAfter
            ? t('myPledges.withdrawal.after.do')
            : status === 'processing'
              ? t('myPledges.withdrawal.act')
              : t('myPledges.withdrawal.do', { amount })}
        </Button>
      </div>
    </section>
  );
}
