import { useRef, useState, type RefObject, type SyntheticEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { isApiError } from '../../../api/apiError';
import {
  useEndOwnSpendingLimitMutation,
  useOwnSpendingLimitsQuery,
  useSetOwnSpendingLimitMutation,
  type SpendingLimit,
  type SpendingLimitChoice,
} from '../../../api/subscriptions';
import { useAppDispatch } from '../../../api/useAppDispatch';
import { fromCents, parseCents } from '../../../domain/amounts';
import type { Fault } from '../../../domain/rules';
import { sumFault } from '../../../domain/sums';
import { useLanguage } from '../../../i18n';
import { useErrorText } from '../../../i18n/errorText';
import { formatMoney } from '../../../i18n/format';
import { AmountField } from '../../../ui/AmountField';
import { Button } from '../../../ui/Button';
import { ConfirmDialog } from '../../../ui/ConfirmDialog';
import { FaultText } from '../../../ui/FaultText';
import { askingFirst } from '../../../ui/limit/useRaiseLimit';
import { SwitchField } from '../../../ui/SwitchField';
import { Unread } from '../../../ui/Unread';
import classes from './Limit.module.css';
import calendar from './MoneyCalendar.module.css';

/** The currency of campaigns. */
const currency = 'EUR';

/** The least limit, in cents. */
const leastLimit = 100;

export interface LimitProps {
  /** Its heading, so that other parts of the page lead to it. */
  heading: RefObject<HTMLHeadingElement | null>;
}

/** The spending limit a month. It loads and fails by itself, because the payment service keeps it. */
export function Limit({ heading }: LimitProps) {
  const { t } = useTranslation();
  const query = useOwnSpendingLimitsQuery();
  const { data } = query;
  return (
    <section aria-labelledby="limit" className={calendar.month}>
      <h2 id="limit" ref={heading} tabIndex={-1}>
        {t('spendingLimit.title')}
      </h2>
      <p className={classes.limitText}>{t('spendingLimit.text')}</p>
      {data ? (
        <LimitForm limit={data.spending_limits.find((one) => one.currency === currency)} heading={heading} />
      ) : (
        <Unread of={query} title={t('spendingLimit.failed')} where="MoneyCalendarPage" lines={2} />
      )}
    </section>
  );
}

function LimitForm({ limit, heading }: LimitProps & { limit: SpendingLimit | undefined }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const errorText = useErrorText();
  const dispatch = useAppDispatch();
  const [set, setting] = useSetOwnSpendingLimitMutation();
  const [end, ending] = useEndOwnSpendingLimitMutation();
  const [typed, setTyped] = useState<string>();
  const [fault, setFault] = useState<Fault>();
  // Shown as pressed until the server has answered; without a limit it goes with the amount.
  const [counts, setCounts] = useState<boolean>();
  const [said, setSaid] = useState<string>();
  const [isRemoving, setRemoving] = useState(false);
  const current = limit ? limit.amount.toFixed(2) : '';
  const shown = typed ?? (language === 'en' ? current : current.replace('.', ','));
  const countsPledges = counts ?? limit?.counts_pledges ?? false;
  const money = (amount: number) => formatMoney(language, amount, { cents: true, currency });
  const error = setting.error ?? ending.error;

  /** What was asked for last. While a call runs, it waits for that one's end: two could overtake each other. */
  const asked = useRef<SpendingLimitChoice>(undefined);
  /** Resolves to whether it is stored. */
  const store = async (choice: SpendingLimitChoice) => {
    const isRunning = asked.current !== undefined;
    asked.current = choice;
    if (isRunning) return false;
    setSaid(undefined);
    ending.reset();
    let stored: SpendingLimitChoice;
    let isStored: boolean;
    do {
      stored = asked.current;
      const choice = { currency, spendingLimitChoice: stored };
      isStored = !(await dispatch(askingFirst(() => set(choice)))).error;
    } while (isStored && asked.current !== stored);
    asked.current = undefined;
    if (isStored) setSaid(t('spendingLimit.saved', { limit: money(stored.amount) }));
    if (isStored || limit) setCounts(undefined);
    return isStored;
  };
  const save = async (event: SyntheticEvent) => {
    event.preventDefault();
    const cents = parseCents(shown);
    const found = sumFault(shown, leastLimit, (one) => money(one / 100));
    setFault(found);
    if (found || cents === undefined || asked.current) return;
    if (await store({ amount: fromCents(cents), counts_pledges: countsPledges }))
      setTyped((now) => (now === typed ? undefined : now)); // it may have been typed in meanwhile
  };
  const count = async (isOn: boolean) => {
    setCounts(isOn);
    const amount = asked.current?.amount ?? limit?.amount;
    if (amount !== undefined) await store({ amount, counts_pledges: isOn });
  };
  const remove = async () => {
    setSaid(undefined);
    setting.reset();
    const { error: refused } = await dispatch(askingFirst(() => end({ currency })));
    setRemoving(false);
    if (refused) return;
    setTyped(undefined);
    setFault(undefined);
    setSaid(t('spendingLimit.removed'));
    // The button goes with it, to which the dialog would return the focus.
    heading.current?.focus({ preventScroll: true });
  };

  return (
    <form noValidate className={classes.limitForm} onSubmit={(event) => void save(event)}>
      <div className={classes.limitFields}>
        <AmountField
          label={t('spendingLimit.field')}
          value={shown}
          error={fault && <FaultText fault={fault} />}
          onChange={({ currentTarget }) => {
            setTyped(currentTarget.value);
            setFault(undefined);
          }}
        />
        <Button type="submit" variant="outline" size="lg" loading={setting.isLoading}>
          {t('spendingLimit.save')}
        </Button>
        {limit && (
          <Button variant="transparent" onClick={() => setRemoving(true)}>
            {t('spendingLimit.remove')}
          </Button>
        )}
        <SwitchField
          label={t('spendingLimit.countPledges')}
          isOn={countsPledges}
          onChange={(isOn) => void count(isOn)}
        />
      </div>
      <p role="status" className={calendar.facts}>
        {said}
      </p>
      <p role="alert" className={classes.failure}>
        {isApiError(error) && `${t('spendingLimit.changeFailed')} ${errorText(error, 'MoneyCalendarPage')}`}
      </p>
      <ConfirmDialog
        isOpen={isRemoving}
        title={t('spendingLimit.removeTitle')}
        confirmLabel={t('spendingLimit.remove')}
        cancelLabel={t('spendingLimit.keep')}
        isConfirming={ending.isLoading}
        onCancel={() => setRemoving(false)}
        onConfirm={() => void remove()}
      >
        {t('spendingLimit.removeText')}
      </ConfirmDialog>
    </form>
  );
}
