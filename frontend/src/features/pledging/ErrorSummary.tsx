import type { ParseKeys } from 'i18next';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Reward } from '../../api/content';
import { AlertCircleIcon } from '../../ui/icons';
import { TextButton } from '../../ui/TextButton';
import { questionField, shownQuestions, type FieldName, type PledgeForm } from './form/values';
import classes from './PaySubmit.module.css';

export interface ErrorSummaryProps {
  form: PledgeForm;
  reward: Reward | undefined;
}

/** The fields with errors, as links to them. */
export function ErrorSummary({ form, reward }: ErrorSummaryProps) {
  const { t } = useTranslation();
  const names: Readonly<Record<string, ParseKeys | undefined>> = fieldNames;
  const nameOf = (field: string): ReactNode => {
    const question = shownQuestions(reward).find(
      ({ key }) => reward && questionField(reward.reward_id, key) === field,
    );
    return question?.text ?? <span className={classes.field}>{t(names[field] ?? 'pledge.field.other')}</span>;
  };
  return (
    <div className={classes.error}>
      <AlertCircleIcon />
      <p>
        {t('form.summary', { count: form.errors.length })}{' '}
        {form.errors.map(({ name }, place) => (
          <span key={name}>
            <TextButton look="inline" onPress={() => form.focusField(name)}>
              {nameOf(name)}
            </TextButton>
            {/* The word joiner keeps the punctuation mark on the same line as the button. */}
            {place < form.errors.length - 1 ? '\u2060, ' : '\u2060.'}
          </span>
        ))}
      </p>
    </div>
  );
}

/** What a field with an error is called. Choices have none, but a field that is new has to be named here. */
const fieldNames: Readonly<Record<FieldName | 'reward', ParseKeys>> = {
  reward: 'pledge.reward',
  chosen_amount: 'pledge.field.amount',
  amount: 'pledge.field.amount',
  quantity: 'pledge.quantity',
  added_cost: 'pledge.addedCost',
  extra: 'pledge.field.extra',
  email: 'auth.email',
  first_name: 'auth.firstName',
  last_name: 'auth.lastName',
  password: 'auth.password',
  password_again: 'auth.passwordAgain',
  address_street: 'pledge.field.address_street',
  address_postcode: 'pledge.field.address_postcode',
  address_city: 'pledge.field.address_city',
  address_phone: 'pledge.field.address_phone',
  address_country: 'pledge.field.address_country',
  without_reward: 'pledge.field.other',
  level: 'pledge.field.other',
  anonymous: 'pledge.field.other',
  hide_amount: 'pledge.field.other',
  account: 'pledge.field.other',
  method: 'pledge.payment',
  kept_card: 'pledge.payment',
  remember_account: 'pledge.bank.remember',
  remember_card: 'pledge.field.other',
  bank_account: 'pledge.bank.account',
  bank_owner: 'pledge.bank.owner',
  bank_iban: 'pledge.bank.iban',
  bank_street: 'pledge.field.address_street',
  bank_postcode: 'pledge.field.address_postcode',
  bank_city: 'pledge.field.address_city',
  bank_country: 'pledge.field.address_country',
  birthdate: 'pledge.payer.birthdate',
  nationality: 'pledge.payer.nationality',
  residence_country: 'pledge.payer.residence',
};
