import { useEffect, useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useBankAccountsQuery, type BankAccount } from '../../../api/checkoutPayments';
import { isPostcodeNumber } from '../../../domain/countries';
import { ibanFault } from '../../../domain/iban';
import { sepaCountries } from '../../../domain/sepa';
import { useLanguage } from '../../../i18n';
import { formatCountry } from '../../../i18n/format';
import { CheckField } from '../../../ui/CheckField';
import { SelectField, TextField } from '../../../ui/fields';
import { IbanField } from '../../../ui/IbanField';
import { AlertCircleIcon } from '../../../ui/icons';
import { OptionRow } from '../../../ui/OptionRow';
import { LinesSkeleton } from '../../../ui/Skeletons';
import type { PledgeForm } from '../form/values';
import classes from './BankFields.module.css';

export interface BankFieldsProps {
  form: PledgeForm;
  /** A guest has nothing to keep an account with. */
  isSignedIn: boolean;
  accounts: Accounts;
  /** The provider was asked for accounts that were used before: one of them is to be chosen, or there are none. */
  asked: 'choose_account' | 'no_account' | undefined;
}

/** The accounts that the provider knows of this payer. */
export interface Accounts {
  list: readonly BankAccount[];
  isAsking: boolean;
  /** They are known only once there is a pledge; until then an account that was used before can be asked for. */
  canAsk: boolean;
}

/** Asks for the accounts of whoever pays a pledge. Without one a signed-in person may have some. */
export function useAccounts(pledgeId: string | undefined, isShown: boolean, isSignedIn: boolean): Accounts {
  const call = useBankAccountsQuery(
    { pledgeRef: { pledgeId: pledgeId ?? '' } },
    { skip: pledgeId === undefined || !isShown, refetchOnMountOrArgChange: true },
  );
  const list = call.data?.bankAccounts ?? none;
  return { list, isAsking: call.isLoading, canAsk: isSignedIn && (pledgeId === undefined || call.isError) };
}

const none: readonly BankAccount[] = [];

/** The account that is debited: one that is known, or a new one. */
export function BankFields({ form, isSignedIn, accounts, asked }: BankFieldsProps) {
  const { t } = useTranslation();
  const { bank_account: chosen } = form.values;
  const { list, isAsking, canAsk } = accounts;
  useAskedAccount(form, asked);
  if (isAsking) return <LinesSkeleton lines={3} />;
  const row = (value: string) => ({
    name: 'bank-account',
    value,
    isPlain: true,
    isChecked: chosen === value,
    onChoose: () => form.setValue('bank_account', value),
  });
  const rows = list.length > 0 || canAsk;
  const fields = chosen === 'new' && <NewAccount form={form} isSignedIn={isSignedIn} />;
  return (
    <div className={classes.root}>
      {asked && (
        <p role="status" className={classes.asked}>
          <AlertCircleIcon size={16} />
          {t(asked === 'choose_account' ? 'pledge.bank.chooseAccount' : 'pledge.bank.noAccount')}
        </p>
      )}
      {rows ? (
        <fieldset className={classes.rows} data-path="bank_account">
          <legend className="tk-visually-hidden">{t('pledge.bank.account')}</legend>
          {list.map(({ Id: id, OwnerName: owner, Details: { IBAN: iban }, has_mandate: hasMandate }) => (
            <OptionRow
              key={id}
              {...row(id)}
              label={owner}
              detail={iban}
              note={
                hasMandate ? (
                  <span className={classes.mandate}>{t('pledge.bank.hasMandate')}</span>
                ) : undefined
              }
            />
          ))}
          {list.length === 0 && (
            <OptionRow
              {...row('earlier')}
              label={t('pledge.bank.earlier')}
              detail={t('pledge.bank.earlierDetail')}
            />
          )}
          <OptionRow {...row('new')} label={t('pledge.bank.new')} />
          {!asked && form.errorOf('bank_account') !== undefined && (
            <p className={classes.fault}>{t('pledge.bank.chooseAccount')}</p>
          )}
        </fieldset>
      ) : null}
      {fields}
    </div>
  );
}

/** What the provider said of the accounts changes the choice once: none is chosen among those that were found. */
function useAskedAccount(form: PledgeForm, asked: BankFieldsProps['asked']) {
  const latest = useRef(form);
  useEffect(() => {
    latest.current = form;
  });
  useEffect(() => {
    if (asked) latest.current.setValue('bank_account', asked === 'no_account' ? 'new' : '');
  }, [asked]);
}

function NewAccount({ form, isSignedIn }: Pick<BankFieldsProps, 'form' | 'isSignedIn'>) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { bank_country: country } = form.values;
  const countries = useMemo(
    () =>
      sepaCountries
        .map((value) => ({ value, label: formatCountry(language, value) }))
        .sort((a, b) => a.label.localeCompare(b.label, language)),
    [language],
  );
  return (
    <div className={classes.fields}>
      <TextField label={t('pledge.bank.owner')} autoComplete="name" {...form.field('bank_owner')} />
      <IbanField
        label={t('pledge.bank.iban')}
        help={t('pledge.bank.ibanHelp')}
        rightText={t('pledge.bank.ibanRight')}
        typed={form.values.bank_iban}
        faultOf={ibanFault}
        onType={(value) => form.setValue('bank_iban', value)}
        field={form.field('bank_iban')}
      />
      <TextField
        label={t('pledge.field.address_street')}
        autoComplete="street-address"
        help={t('pledge.bank.whyAddress')}
        {...form.field('bank_street')}
      />
      <div className={classes.triple}>
        <TextField
          label={t('pledge.field.address_postcode')}
          inputMode={isPostcodeNumber(country) ? 'numeric' : undefined}
          autoComplete="postal-code"
          {...form.field('bank_postcode')}
        />
        <TextField
          label={t('pledge.field.address_city')}
          autoComplete="address-level2"
          {...form.field('bank_city')}
        />
        <SelectField
          label={t('pledge.field.address_country')}
          autoComplete="country"
          data={countries}
          {...form.field('bank_country')}
        />
      </div>
      {isSignedIn && (
        <CheckField
          label={t('pledge.bank.remember')}
          isChecked={form.values.remember_account}
          onChange={(isChecked) => form.setValue('remember_account', isChecked)}
        />
      )}
    </div>
  );
}
