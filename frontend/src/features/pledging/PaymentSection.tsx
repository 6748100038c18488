import type { ReactNode, RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { CardFields } from './card/lazyCardFields';
import classes from './fields.module.css';
import type { Method } from './flow/order';
import type { CardFormStatus, CardForm } from './flow/ports';
import type { PledgeForm } from './form/values';
import { allMethods, methods } from './methods';
import { OptionRow } from '../../ui/OptionRow';
import { Section } from './Section';

export interface PaymentSectionProps {
  form: PledgeForm;
  card: RefObject<CardForm | null>;
  cents: number;
  currency: string;
  /** Only by card, which is saved. */
  isMonthly: boolean;
  onCardStatus: (status: CardFormStatus) => void;
  /** Why the card was refused, if its fields can be corrected. */
  children?: ReactNode;
}

/** The payment method. The card form stays mounted when another method is chosen, so that nothing typed is lost. */
export function PaymentSection({
  form,
  card,
  cents,
  currency,
  isMonthly,
  onCardStatus,
  children,
}: PaymentSectionProps) {
  const { t } = useTranslation();
  const { method } = form.values;
  if (isMonthly) {
    return (
      <Section title={t('pledge.payment')}>
        <div className={classes.box}>
          <CardFields
            ref={card}
            cents={cents}
            currency={currency}
            purpose="monthly"
            onStatus={onCardStatus}
          />
          {children}
        </div>
        <p className={classes.hint}>{t('pledge.monthly.saved')}</p>
      </Section>
    );
  }
  const fields: Readonly<Record<Method, ReactNode>> = {
    card: (
      <div hidden={method !== 'card'} className={classes.opened}>
        <CardFields ref={card} cents={cents} currency={currency} onStatus={onCardStatus} />
        {children}
      </div>
    ),
    page: undefined,
  };
  return (
    <Section title={t('pledge.payment')}>
      <fieldset className={classes.group} data-path="method">
        <legend className="tk-visually-hidden">{t('pledge.payment')}</legend>
        {allMethods.map((one) => {
          const { Icon, label, note } = methods[one];
          return (
            <OptionRow
              key={one}
              name="method"
              value={one}
              isChecked={method === one}
              onChoose={() => form.setValue('method', one)}
              icon={<Icon />}
              label={t(label)}
              note={t(note)}
              isNoteBelow
            >
              {fields[one]}
            </OptionRow>
          );
        })}
      </fieldset>
    </Section>
  );
}
