import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { OwnPledge } from '../../../api/own';
import { useLanguage } from '../../../i18n';
import { formatDate, formatMoney, formatTime } from '../../../i18n/format';
import { Button } from '../../../ui/Button';
import { lazyComponent } from '../../../ui/lazyComponent';
import type { PledgeActs } from './acts';
import classes from './MyPledgesPage.module.css';
import { Row } from './Row';

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
  const { state, until } = choice;
  if (state !== 'open' && state !== 'none' && state !== 'over') return t(`myPledges.choice.${state}`);
  if (!until) return t('myPledges.choice.open');
  return t('myPledges.choice.until', { day: formatDate(language, until), time: formatTime(language, until) });
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
