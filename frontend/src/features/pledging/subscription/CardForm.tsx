import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useErrorText } from '../../../i18n/errorText';
import { Button } from '../../../ui/Button';
import { AlertCircleIcon } from '../../../ui/icons';
import { CardFields } from '../card/lazyCardFields';
import type { CardFormStatus } from '../flow/ports';
import classes from './SubscriptionPage.module.css';
import type { CardRun } from './useCardRun';

export interface CardFormProps {
  run: CardRun;
  cents: number;
  currency: string;
  purpose: 'monthly' | 'card';
  submitLabel: string;
  onSubmit: () => Promise<void>;
  /** Something else is being done that takes the payment's place. */
  isBusy?: boolean;
  /** Why that was not done. */
  otherFailure?: string;
  /** Between the card's fields and the button. */
  options?: ReactNode;
  /** Beside the button. */
  others?: ReactNode;
  note: string;
}

/** The provider's card fields with a button of their own. What is typed stays when it fails. */
export function CardForm(props: CardFormProps) {
  const {
    run: { card, step, failure },
    cents,
    currency,
    purpose,
    submitLabel,
    onSubmit,
    options,
    others,
    note,
    isBusy = false,
    otherFailure,
  } = props;
  const { t } = useTranslation();
  const errorText = useErrorText();
  const [status, setStatus] = useState<CardFormStatus>('loading');
  const isReady = status === 'ready' || status === 'off';
  return (
    <form
      noValidate
      className={classes.card}
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady && !step && !isBusy) void onSubmit();
      }}
    >
      <CardFields ref={card} cents={cents} currency={currency} purpose={purpose} onStatus={setStatus} />
      {options}
      <div role="alert">
        {(failure ?? otherFailure) && (
          <p className={classes.failure}>
            <AlertCircleIcon />
            <span>{otherFailure ?? (failure && errorText(failure, 'SubscriptionPage'))}</span>
          </p>
        )}
      </div>
      <div className={classes.cardFoot}>
        <p className={classes.help}>
          {note} <span role="status">{step && t(`subscription.steps.${step}`)}</span>
        </p>
        <div className={classes.acts}>
          {others}
          <Button type="submit" size="lg" loading={step !== undefined || isBusy} disabled={!isReady}>
            {submitLabel}
          </Button>
        </div>
      </div>
    </form>
  );
}
