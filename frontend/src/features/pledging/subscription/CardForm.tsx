import { useState, type ReactNode } from 'react';
import { Trans, useTranslation } from 'react-i18next';
import { useLanguage } from '../../../i18n';
import { useErrorText } from '../../../i18n/errorText';
import { formatMoney } from '../../../i18n/format';
import { Button } from '../../../ui/Button';
import { AlertCircleIcon } from '../../../ui/icons';
import { CardFields } from '../card/lazyCardFields';
import { refusalText } from '../failureText';
import type { CardFormStatus } from '../flow/ports';
import { AskAPerson, AskNow, UnknownMessage } from '../UnknownPayment';
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
  /** Whether it is known what `options` are: before that nothing can be submitted. */
  hasOptions?: boolean;
  /** Between the card's fields and the button. */
  options?: ReactNode;
  /** Beside the button. */
  others?: ReactNode;
  note: string;
}

/** The provider's card fields with a button of their own. What is typed stays when it fails. */
export function CardForm(props: CardFormProps) {
  const {
    run: { card, step, failure, isUnknown, asking },
    cents,
    currency,
    purpose,
    submitLabel,
    onSubmit,
    hasOptions = true,
    options,
    others,
    note,
    isBusy = false,
    otherFailure,
  } = props;
  const { t } = useTranslation();
  const language = useLanguage();
  const errorText = useErrorText();
  const [status, setStatus] = useState<CardFormStatus>('loading');
  const isReady = hasOptions && (status === 'ready' || status === 'off');
  return (
    <form
      noValidate
      className={classes.card}
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady && !step && !isBusy && !isUnknown) void onSubmit();
      }}
    >
      {isUnknown && (
        <div className={classes.unknown}>
          <UnknownMessage
            asking={asking}
            late={purpose === 'card' ? undefined : <AskAPerson number={undefined} />}
          >
            {purpose === 'card' ? (
              t('subscription.card.unknown')
            ) : (
              <Trans
                i18nKey="pledge.unknown.text"
                values={{ sum: formatMoney(language, cents / 100, { cents: true, currency }) }}
                components={{ b: <strong /> }}
              />
            )}
          </UnknownMessage>
          <AskNow asking={asking} />
        </div>
      )}
      {/* Hidden, not removed: the card that was typed is still there if it was not charged. */}
      <div hidden={isUnknown}>
        <CardFields ref={card} cents={cents} currency={currency} purpose={purpose} onStatus={setStatus} />
        {options}
        <div role="alert">
          {(failure ?? otherFailure) && (
            <p className={classes.failure}>
              <AlertCircleIcon />
              <span>
                {otherFailure ?? (failure && refusalText(failure, t, errorText, 'SubscriptionPage'))}
              </span>
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
      </div>
    </form>
  );
}
