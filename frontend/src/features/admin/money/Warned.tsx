import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  useDeskDismissWarningMutation,
  useDeskRefundWarnedMutation,
  useDeskReopenWarningMutation,
  useDeskWarningQuery,
  type DeskWarningCase,
} from '../../../api/desk';
import { useLanguage } from '../../../i18n';
import { formatAgo, formatDate } from '../../../i18n/format';
import { Button } from '../../../ui/Button';
import { CheckField } from '../../../ui/CheckField';
import { useNow } from '../../../ui/useNow';
import { ActDialog } from './ActDialog';
import { Shown } from './Shown';
import { useSum, useWords } from './useWords';
import classes from './Thing.module.css';

/** A charge that its cardholder has reported as fraud, and the proposal to refund it before its bank disputes it. */
export function Warned({ warningId, isMonthly }: { warningId: number; isMonthly: boolean }) {
  const query = useDeskWarningQuery({ warningId });
  return <Shown query={query}>{(one) => <Case one={one} isMonthly={isMonthly} />}</Shown>;
}

function Case({ one, isMonthly }: { one: DeskWarningCase; isMonthly: boolean }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const now = useNow();
  const words = useWords();
  const sum = useSum();
  const { warning, left_minor: left, creator_minor: creators } = one;
  const { status, currency } = warning;
  const heading = `warning-${warning.warning_id}`;
  const isOpen = status === 'open';
  const { support } = one;
  const goesOn = support.map((each, i) => (
    <p key={i}>
      {t('desk.warning.support', { title: each.title, sum: sum(each.amount_minor, each.currency) })}
    </p>
  ));
  const cost = creators > 0 && <p>{t('desk.warning.settled', { sum: sum(creators, currency) })}</p>;
  const facts: readonly (readonly [string, string])[] = [
    [t('desk.warning.payer'), [one.payer_name, one.payer_email].filter(Boolean).join(', ')],
    [t('desk.warning.method'), warning.method],
    [t('desk.warning.campaign'), warning.title],
    [
      t('desk.warning.reported'),
      `${formatDate(language, warning.opened_at)} (${formatAgo(language, Date.parse(warning.opened_at), now)})`,
    ],
  ];
  return (
    <section className={classes.box} aria-labelledby={heading}>
      <h3 id={heading}>{t('desk.warning.title', { sum: sum(warning.amount_minor, currency) })}</h3>
      <p>{words('fraud', warning.reason)}</p>
      <dl className={classes.told}>
        {facts
          .filter(([, fact]) => fact)
          .map(([name, fact]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{fact}</dd>
            </div>
          ))}
      </dl>
      {isOpen ? <p>{t('desk.warning.lead')}</p> : <p>{t(`desk.warning.state.${status as 'refunded'}`)}</p>}
      {isOpen && cost}
      {isOpen && creators === 0 && Date.parse(warning.held_until) > now && (
        <p>{t('desk.warning.held', { day: formatDate(language, warning.held_until) })}</p>
      )}
      {goesOn}
      {isOpen && (
        <Acts
          id={warning.warning_id}
          left={left > 0 ? sum(left, currency) : undefined}
          hasSupport={support.length > 0}
        >
          {cost}
          {goesOn}
          {isMonthly && <p>{t('desk.warning.monthly')}</p>}
        </Acts>
      )}
      {one.can_reopen && <Reopen id={warning.warning_id} />}
    </section>
  );
}

/** What a person decides, each with a note. */
function Acts({
  id,
  left,
  hasSupport,
  children,
}: {
  id: number;
  left: string | undefined;
  hasSupport: boolean;
  children: React.ReactNode;
}) {
  const { t } = useTranslation();
  const [asked, setAsked] = useState<'refund' | 'dismiss'>();
  const [endSupport, setEndSupport] = useState(false);
  const [refund] = useDeskRefundWarnedMutation();
  const [dismiss] = useDeskDismissWarningMutation();
  const close = () => setAsked(undefined);
  return (
    <>
      <p className={classes.acts}>
        {left && (
          <Button
            onClick={() => {
              setEndSupport(false);
              setAsked('refund');
            }}
          >
            {t('desk.warning.refund', { sum: left })}
          </Button>
        )}
        <Button variant="outline" onClick={() => setAsked('dismiss')}>
          {t('desk.warning.dismiss')}
        </Button>
      </p>
      <ActDialog
        isOpen={asked === 'refund'}
        onClose={close}
        title={t('desk.warning.refundTitle', { sum: left })}
        label={t('desk.warning.refundLabel')}
        done={t('desk.warning.refunded')}
        isDestructive
        act={(note) => refund({ warningId: id, deskRefundOfWarned: { note, end_support: endSupport } })}
      >
        <p>{t('desk.warning.refundBody')}</p>
        {children}
        {hasSupport && (
          <CheckField label={t('desk.warning.endSupport')} isChecked={endSupport} onChange={setEndSupport} />
        )}
      </ActDialog>
      <ActDialog
        isOpen={asked === 'dismiss'}
        onClose={close}
        title={t('desk.warning.dismissTitle')}
        label={t('desk.warning.dismissLabel')}
        done={t('desk.warning.dismissed')}
        act={(note) => dismiss({ warningId: id, deskNote: { note } })}
      >
        <p>{t('desk.warning.dismissBody')}</p>
      </ActDialog>
    </>
  );
}

/** What was left as it is can be decided anew until the charge is paid out. */
function Reopen({ id }: { id: number }) {
  const { t } = useTranslation();
  const [isAsked, setIsAsked] = useState(false);
  const [reopen] = useDeskReopenWarningMutation();
  return (
    <>
      <p className={classes.acts}>
        <Button variant="outline" onClick={() => setIsAsked(true)}>
          {t('desk.warning.reopen')}
        </Button>
      </p>
      <ActDialog
        isOpen={isAsked}
        onClose={() => setIsAsked(false)}
        title={t('desk.warning.reopenTitle')}
        label={t('desk.warning.reopenLabel')}
        done={t('desk.warning.reopened')}
        act={(note) => reopen({ warningId: id, deskNote: { note } })}
      >
        <p>{t('desk.warning.reopenBody')}</p>
      </ActDialog>
    </>
  );
}
