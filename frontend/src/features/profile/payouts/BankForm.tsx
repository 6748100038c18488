import { useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isApiError } from '../../../api/apiError';
import {
  useAddPayoutBankMutation,
  usePayoutBankFieldsQuery,
  type Payee,
  type PayoutBankField,
} from '../../../api/payees';
import { isPostcodeNumber } from '../../../domain/countries';
import { payoutIbanFault } from '../../../domain/iban';
import { useLanguage } from '../../../i18n';
import { countryOptions } from '../../../i18n/countryOptions';
import { Button } from '../../../ui/Button';
import { SelectField, TextField } from '../../../ui/fields';
import { IbanField } from '../../../ui/IbanField';
import { ExternalLinkIcon } from '../../../ui/icons';
import { leaveFor } from '../../../ui/leaveFor';
import { UnsavedGuard } from '../../../ui/UnsavedGuard';
import { useAppForm, type AppForm } from '../../../ui/useAppForm';
import { bankFaults, bankOrder, countryOf, newBank, usualFields, type BankValues } from './bankValues';
import { Failure } from './Failure';
import { useFailureText } from './useFailureText';
import { useOwnAct } from '../../../ui/useOwnAct';
import classes from './PayoutsPage.module.css';
import { returnAddress } from './payoutsAddress';

export interface BankFormProps {
  payee: Payee;
  firstName: string;
  lastName: string;
  /** The bank account is known, or it is asked what came of it. */
  onChanged: () => void;
  /** Leaves the account that is in use as it is; undefined without one. */
  onLeave?: () => void;
}

/** The bank account to pay to. What is typed stays while a call fails or the session has ended, and is kept nowhere. */
export function BankForm({ payee, firstName, lastName, onChanged, onLeave }: BankFormProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const failureText = useFailureText();
  const [add] = useAddPayoutBankMutation();
  const { act } = useOwnAct();
  const [failure, setFailure] = useState<string>();
  // A new object for each press: who comes back by the browser's button can leave again.
  const [leaving, setLeaving] = useState<{ url: string }>();
  const asked = useRef<readonly PayoutBankField[]>(usualFields(payee.type === 'natural'));
  const form = useAppForm<BankValues>({
    initialValues: newBank({ first_name: firstName, last_name: lastName }),
    rules: (values) => bankFaults(values, asked.current),
    onSubmit: async (values) => {
      setFailure(undefined);
      const newPayoutBank = bankOrder(values, asked.current, returnAddress(language));
      const answer = await act(() => add({ newPayoutBank }));
      if (answer?.data?.redirectUrl) {
        setLeaving({ url: answer.data.redirectUrl });
        return;
      }
      if (answer?.data) onChanged();
      if (!isApiError(answer?.error)) return;
      const { error } = answer;
      const fields = error.fields ?? [];
      const elsewhere = form.showFieldErrors(fields);
      if (error.status === 'provider_unavailable') {
        setFailure(t('payouts.bank.unanswered'));
        onChanged(); // it may have been made all the same
      } else if (fields.length === 0 || elsewhere.length > 0) setFailure(failureText(error, 'BankForm'));
    },
  });
  const country = countryOf(form.values.IBAN);
  const { data } = usePayoutBankFieldsQuery({ country: country ?? '' }, { skip: country === undefined });
  const fields = data?.fields ?? usualFields(payee.type === 'natural');
  // After the guard below has gone, or the browser would ask whether to leave.
  useEffect(() => {
    asked.current = fields;
    if (leaving) leaveFor(leaving.url);
  }, [fields, leaving]);

  return (
    <form {...form.formProps} className={classes.bankForm} aria-labelledby="payout-bank">
      <UnsavedGuard isOn={form.isChanged && !leaving} />
      <IbanField
        label={t('payouts.bank.iban')}
        help={t('payouts.bank.ibanHelp')}
        rightText={t('payouts.bank.ibanRight')}
        typed={form.values.IBAN}
        faultOf={payoutIbanFault}
        onType={(value) => form.setValue('IBAN', value)}
        field={form.field('IBAN')}
      />
      <Owner form={form} fields={fields} />
      {failure && <Failure>{failure}</Failure>}
      <div className={classes.foot}>
        <p className={classes.note}>{t('payouts.bank.kept')}</p>
        <div className={classes.choices}>
          {onLeave && (
            <Button variant="transparent" onClick={onLeave}>
              {t('payouts.bank.leave')}
            </Button>
          )}
          <Button
            type="submit"
            size="lg"
            leftSection={<ExternalLinkIcon size={16} />}
            loading={form.isSubmitting}
          >
            {t('payouts.bank.submit')}
          </Button>
        </div>
      </div>
    </form>
  );
}

/** Whose the account is, as far as the provider asks for it in its country. */
function Owner({ form, fields }: { form: AppForm<BankValues>; fields: readonly PayoutBankField[] }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const countries = useMemo(() => countryOptions(language), [language]);
  const isAsked = (name: PayoutBankField['name']) =>
    fields.some((field) => field.name === name && (field.is_required || name === 'PostalCode'));
  return (
    <div className={classes.pair}>
      {isAsked('first_name') && (
        <TextField
          label={t('payouts.form.firstName')}
          autoComplete="given-name"
          {...form.field('first_name')}
        />
      )}
      {isAsked('last_name') && (
        <TextField
          label={t('payouts.form.lastName')}
          autoComplete="family-name"
          {...form.field('last_name')}
        />
      )}
      {isAsked('business_name') && (
        <TextField
          label={t('payouts.bank.owner')}
          help={t('payouts.bank.ownerHelp')}
          autoComplete="organization"
          {...form.field('business_name')}
        />
      )}
      <TextField
        label={t('payouts.form.street')}
        help={t('payouts.bank.whyAddress')}
        autoComplete="street-address"
        {...form.field('AddressLine1')}
      />
      {isAsked('AddressLine2') && (
        <TextField
          label={t('payouts.bank.line2')}
          autoComplete="address-line2"
          {...form.field('AddressLine2')}
        />
      )}
      {isAsked('PostalCode') && (
        <TextField
          label={t('payouts.form.postcode')}
          inputMode={isPostcodeNumber(form.values.Country) ? 'numeric' : undefined}
          autoComplete="postal-code"
          {...form.field('PostalCode')}
        />
      )}
      <TextField label={t('payouts.form.city')} autoComplete="address-level2" {...form.field('City')} />
      {isAsked('Region') && (
        <TextField label={t('payouts.bank.region')} autoComplete="address-level1" {...form.field('Region')} />
      )}
      <SelectField
        label={t('payouts.form.country')}
        autoComplete="country"
        data={countries}
        {...form.field('Country')}
      />
    </div>
  );
}
