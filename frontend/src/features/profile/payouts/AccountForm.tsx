import { useEffect, useMemo, useState } from 'react';
import { Trans, useTranslation } from 'react-i18next';
import { isApiError } from '../../../api/apiError';
import { readConfig } from '../../../api/extra';
import { useCreateCreatorAccountMutation } from '../../../api/payees';
import { useAppDispatch } from '../../../api/useAppDispatch';
import { isPostcodeNumber } from '../../../domain/countries';
import { useLanguage } from '../../../i18n';
import { countryOptions } from '../../../i18n/countryOptions';
import { Button } from '../../../ui/Button';
import { CheckField } from '../../../ui/CheckField';
import { DayField } from '../../../ui/DayField';
import { FieldGroup } from '../../../ui/FieldGroup';
import { SelectField, TextField } from '../../../ui/fields';
import { ExternalLinkIcon } from '../../../ui/icons';
import { leaveFor } from '../../../ui/leaveFor';
import { OptionRow } from '../../../ui/OptionRow';
import { askToSignIn } from '../../../ui/signInPrompt';
import { TextLink } from '../../../ui/TextLink';
import { UnsavedGuard } from '../../../ui/UnsavedGuard';
import { useAppForm, type AppForm } from '../../../ui/useAppForm';
import { accountFaults, accountOrder, holders, newAccount, type AccountValues } from './accountValues';
import { Failure } from './Failure';
import { useFailureText } from './useFailureText';
import classes from './PayoutsPage.module.css';
import { returnAddress } from './payoutsAddress';

export interface AccountFormProps {
  userId: number;
  firstName: string;
  lastName: string;
  /** There is an account, and nothing to do at the partner's page. */
  onMade: () => void;
}

/** Who is to be paid. What is typed stays while a call fails or the session has ended, and is kept nowhere. */
export function AccountForm({ userId, firstName, lastName, onMade }: AccountFormProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const dispatch = useAppDispatch();
  const failureText = useFailureText();
  const [terms] = useState(() => dispatch(readConfig()).provider_terms?.mangopay);
  const [create] = useCreateCreatorAccountMutation();
  const [failure, setFailure] = useState<string>();
  // A new object for each press: who comes back by the browser's button can leave again.
  const [leaving, setLeaving] = useState<{ url: string }>();
  const form = useAppForm<AccountValues>({
    initialValues: newAccount({ first_name: firstName, last_name: lastName }),
    rules: accountFaults,
    onSubmit: async (values) => {
      setFailure(undefined);
      const creatorAccount = accountOrder(values, userId, returnAddress(language));
      const { data, error } = await create({ creatorAccount });
      if (data?.redirectUrl) {
        setLeaving({ url: data.redirectUrl });
        return;
      }
      if (data) {
        onMade();
        return;
      }
      if (!isApiError(error)) return;
      const fields = error.fields ?? [];
      const elsewhere = form.showFieldErrors(fields);
      if (fields.length === 0 || elsewhere.length > 0) setFailure(failureText(error, 'AccountForm'));
      if (error.http === 401) dispatch(askToSignIn());
    },
  });
  // After the guard below has gone, or the browser would ask whether to leave.
  useEffect(() => {
    if (leaving) leaveFor(leaving.url);
  }, [leaving]);
  const { values } = form;
  const isPerson = values.paid_as === 'person';

  return (
    <form {...form.formProps} className={classes.part} aria-labelledby="who-is-paid-b">
      <UnsavedGuard isOn={form.isChanged && !leaving} />
      <h2 id="who-is-paid-b">{t('payouts.form.titleB')}</h2>
      <p className={classes.lead}>{t('payouts.form.lead')}</p>
      <FieldGroup label={t('payouts.form.paidAs')} name="paid_as" error={form.errorOf('paid_as')}>
        <div className={classes.options}>
          {holders.map((holder) => (
            <OptionRow
              key={holder}
              name="paid_as"
              value={holder}
              isChecked={values.paid_as === holder}
              onChoose={() => form.setValue('paid_as', holder)}
              label={t(`payouts.form.as.${holder}`)}
            />
          ))}
        </div>
      </FieldGroup>
      {!isPerson && <EntityFields form={form} />}
      <PersonFields form={form} title={t(isPerson ? 'payouts.form.person' : 'payouts.form.representative')} />
      <FieldGroup
        label={t('payouts.form.terms')}
        name="terms_accepted"
        error={form.errorOf('terms_accepted')}
      >
        <CheckField
          label={
            <Trans
              i18nKey="payouts.form.accept"
              components={{
                terms: (
                  <TextLink href={terms} isNewTab>
                    {null}
                  </TextLink>
                ),
              }}
            />
          }
          isChecked={values.terms_accepted}
          onChange={(isAccepted) => form.setValue('terms_accepted', isAccepted)}
        />
      </FieldGroup>
      {failure && <Failure>{failure}</Failure>}
      <div className={classes.foot}>
        <p className={classes.note}>
          {t(isPerson ? 'payouts.form.ready.person' : 'payouts.form.ready.entity')} {t('payouts.form.kept')}
        </p>
        <Button
          type="submit"
          size="lg"
          leftSection={<ExternalLinkIcon size={16} />}
          loading={form.isSubmitting}
        >
          {t('payouts.form.submit')}
        </Button>
      </div>
    </form>
  );
}

function PersonFields({ form, title }: { form: AppForm<AccountValues>; title: string }) {
  const { t } = useTranslation();
  const names = useCountries();
  return (
    <>
      <h3>{title}</h3>
      <div className={classes.pair}>
        <TextField
          label={t('payouts.form.firstName')}
          autoComplete="given-name"
          {...form.field('first_name')}
        />
        <TextField
          label={t('payouts.form.lastName')}
          autoComplete="family-name"
          {...form.field('last_name')}
        />
        <DayField label={t('payouts.form.birthdate')} autoComplete="bday" {...form.field('birthdate')} />
        <SelectField label={t('payouts.form.nationality')} data={names} {...form.field('nationality')} />
        <SelectField
          label={t('payouts.form.residence')}
          autoComplete="country"
          data={names}
          {...form.field('residence_country')}
        />
      </div>
    </>
  );
}

function EntityFields({ form }: { form: AppForm<AccountValues> }) {
  const { t } = useTranslation();
  const names = useCountries();
  const isCompany = form.values.paid_as === 'company';
  return (
    <>
      <h3>{t(isCompany ? 'payouts.form.company' : 'payouts.form.entity')}</h3>
      <div className={classes.pair}>
        <TextField
          label={t('payouts.form.legalName')}
          autoComplete="organization"
          {...form.field('legal_name')}
        />
        {isCompany && (
          <TextField
            label={t('payouts.form.companyNumber')}
            help={t('payouts.form.companyNumberHelp')}
            autoComplete="off"
            {...form.field('company_number')}
          />
        )}
        <TextField
          label={t('payouts.form.street')}
          autoComplete="section-entity street-address"
          {...form.field('AddressLine1')}
        />
        <TextField
          label={t('payouts.form.postcode')}
          inputMode={isPostcodeNumber(form.values.Country) ? 'numeric' : undefined}
          autoComplete="section-entity postal-code"
          {...form.field('PostalCode')}
        />
        <TextField
          label={t('payouts.form.city')}
          autoComplete="section-entity address-level2"
          {...form.field('City')}
        />
        <SelectField
          label={t('payouts.form.country')}
          autoComplete="section-entity country"
          data={names}
          {...form.field('Country')}
        />
      </div>
    </>
  );
}

function useCountries() {
  const language = useLanguage();
  return useMemo(() => countryOptions(language), [language]);
}
