import { useId, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { isApiError } from '../../api/apiError';
import { useAskPaymentReminderMutation } from '../../api/reminders';
import { selectUser } from '../../api/session';
import { all, email as emailRule, required } from '../../domain/rules';
import { useLanguage } from '../../i18n';
import { useErrorText } from '../../i18n/errorText';
import { formatDate } from '../../i18n/format';
import { AppMantineProvider } from '../AppMantineProvider';
import { Button } from '../Button';
import { TextField } from '../fields';
import { ClockIcon } from '../icons';
import classes from './PaymentOff.module.css';

export interface PaymentOffProps {
  campaignId: number;
  /** Until when the campaign is open; undefined for monthly support. */
  deadline?: string;
  /** What the reader has typed elsewhere on the page; the field begins with it. */
  email?: string;
  /** How else to go on, such as asking again. */
  children?: ReactNode;
}

/** That a campaign cannot be paid to just now, in place of the button; whoever wants to is told once it can be. */
export default function PaymentOff({ campaignId, deadline, email, children }: PaymentOffProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  return (
    <div className={classes.root}>
      <ClockIcon />
      <div className={classes.body}>
        <h3 className={classes.title}>{t('paymentOff.title')}</h3>
        <p>
          {t('paymentOff.text')}{' '}
          {deadline !== undefined && <>{t('paymentOff.until', { day: formatDate(language, deadline) })} </>}
          {t('paymentOff.nothing')}
        </p>
        <AppMantineProvider>
          <Reminder campaignId={campaignId} hasRewards={deadline !== undefined} known={email} />
        </AppMantineProvider>
        {children}
      </div>
    </div>
  );
}

const rule = all(required, emailRule);

interface ReminderProps {
  campaignId: number;
  hasRewards: boolean;
  known?: string;
}

/** Of who is signed in the address is known: one press. No <form>: in the checkout it stands in one. */
function Reminder({ campaignId, hasRewards, known = '' }: ReminderProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const errorText = useErrorText();
  const user = useSelector(selectUser);
  const id = useId();
  const [ask, { isLoading }] = useAskPaymentReminderMutation();
  const [own, setOwn] = useState<string>();
  const typed = own ?? known;
  const [failure, setFailure] = useState<string>();
  const [said, setSaid] = useState<'done' | 'payable'>();

  const send = async () => {
    if (!user && rule(typed, undefined)) {
      setFailure(t('paymentOff.emailFault'));
      document.getElementById(id)?.focus();
      return;
    }
    setFailure(undefined);
    const body = user ? {} : { email: typed.trim(), language };
    const { data, error } = await ask({ campaignId, paymentReminderRequest: body });
    if (isApiError(error)) {
      const isTyped = error.fields?.some(({ path }) => path === 'email');
      setFailure(isTyped ? t('paymentOff.emailFault') : errorText(error, 'PaymentOff'));
    } else setSaid(data?.is_payable ? 'payable' : 'done');
  };

  if (said)
    return (
      <p role="status" className={classes.done}>
        {t(`paymentOff.${said}`)}
      </p>
    );
  return (
    <>
      <div className={classes.form}>
        {!user && (
          <div className={classes.field}>
            <TextField
              id={id}
              label={t('paymentOff.email')}
              type="email"
              autoComplete="email"
              value={typed}
              error={failure}
              onChange={({ currentTarget }) => setOwn(currentTarget.value)}
              onKeyDown={(event) => {
                if (event.key !== 'Enter') return;
                event.preventDefault();
                void send();
              }}
            />
          </div>
        )}
        <Button type="button" loading={isLoading} onClick={() => void send()}>
          {t('paymentOff.tell')}
        </Button>
      </div>
      {user && failure !== undefined && <p role="alert">{failure}</p>}
      <p className={classes.note}>
        {user && <>{t('paymentOff.toOwn', { email: user.email })} </>}
        {t(hasRewards ? 'paymentOff.note' : 'paymentOff.noteMonthly')}
      </p>
    </>
  );
}
