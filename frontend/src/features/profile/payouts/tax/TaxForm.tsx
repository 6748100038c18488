import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isApiError } from '../../../../api/apiError';
import { useSetTaxDataMutation, type TaxDataValues } from '../../../../api/taxData';
import { isPostcodeNumber, needsPostcode } from '../../../../domain/countries';
import { useLanguage } from '../../../../i18n';
import { countryOptions } from '../../../../i18n/countryOptions';
import { formatCountry } from '../../../../i18n/format';
import { useErrorText } from '../../../../i18n/errorText';
import { Button } from '../../../../ui/Button';
import { CheckField } from '../../../../ui/CheckField';
import { DayField } from '../../../../ui/DayField';
import { FieldGroup } from '../../../../ui/FieldGroup';
import { SelectField, TextField } from '../../../../ui/fields';
import { OptionRow } from '../../../../ui/OptionRow';
import { UnsavedGuard } from '../../../../ui/UnsavedGuard';
import { useAppForm, type AppForm } from '../../../../ui/useAppForm';
import { useOwnAct } from '../../../../ui/useOwnAct';
import { Failure } from '../Failure';
import classes from '../PayoutsPage.module.css';
import {
  isInRegister,
  isWithoutNumber,
  keptNumber,
  taxChange,
  taxFaults,
  taxValuesOf,
  type TaxValues,
} from './taxValues';

export interface TaxFormProps {
  /** What was given before; undefined of nothing. */
  given?: TaxDataValues;
  /** What is typed takes the place of this version. */
  version: number;
  firstName: string;
  lastName: string;
  onSaved: () => void;
  /** Something else was saved meanwhile. */
  onStale: () => void;
  onLeave: () => void;
}

/** Who is paid, for the tax office. What is typed stays while a call fails or the session has ended, and is kept nowhere. */
export function TaxForm({ given, version, firstName, lastName, onSaved, onStale, onLeave }: TaxFormProps) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const [save] = useSetTaxDataMutation();
  const { act } = useOwnAct();
  const [failure, setFailure] = useState<string>();
  const [isSaved, setSaved] = useState(false);
  const form = useAppForm<TaxValues>({
    initialValues: taxValuesOf(given, { first_name: firstName, last_name: lastName }),
    rules: (values) => taxFaults(values, given),
    onSubmit: async (values) => {
      setFailure(undefined);
      const answer = await act(() => save({ taxDataChange: taxChange(values, version) }));
      if (answer?.data) {
        setSaved(true);
        onSaved();
        return;
      }
      if (!isApiError(answer?.error)) return;
      const { error } = answer;
      const fields = error.fields ?? [];
      const elsewhere = form.showFieldErrors(fields);
      if (error.status === 'changed_meanwhile') {
        setFailure(t('payouts.tax.stale'));
        onStale();
      } else if (fields.length === 0 || elsewhere.length > 0) setFailure(errorText(error, 'TaxForm'));
    },
  });
  const { values } = form;
  const isPerson = values.kind === 'person';

  return (
    <form {...form.formProps} className={classes.bankForm} aria-labelledby="tax-data">
      <UnsavedGuard isOn={form.isChanged && !isSaved} />
      <FieldGroup label={t('payouts.tax.form.kind')} name="kind" error={form.errorOf('kind')}>
        <div className={classes.options}>
          {(['person', 'business'] as const).map((kind) => (
            <OptionRow
              key={kind}
              name="tax_kind"
              value={kind}
              isChecked={values.kind === kind}
              onChoose={() => form.setValue('kind', kind)}
              label={t(`payouts.tax.form.${kind}`)}
              detail={kind === 'person' && t('payouts.tax.form.personDetail')}
            />
          ))}
        </div>
      </FieldGroup>
      <Whose form={form} isPerson={isPerson} />
      <Home form={form} isPerson={isPerson} />
      <Numbers form={form} isPerson={isPerson} given={given} />
      {failure && <Failure>{failure}</Failure>}
      <div className={classes.foot}>
        <p className={classes.note}>{t('payouts.tax.form.kept')}</p>
        <div className={classes.choices}>
          <Button variant="transparent" onClick={onLeave}>
            {t('payouts.tax.leave')}
          </Button>
          <Button type="submit" size="lg" loading={form.isSubmitting}>
            {t('payouts.tax.save')}
          </Button>
        </div>
      </div>
    </form>
  );
}

interface PartProps {
  form: AppForm<TaxValues>;
  isPerson: boolean;
}

function Whose({ form, isPerson }: PartProps) {
  const { t } = useTranslation();
  if (!isPerson) {
    return (
      <div className={classes.pair}>
        <TextField
          label={t('payouts.tax.form.legalName')}
          autoComplete="organization"
          {...form.field('legal_name')}
        />
        <TextField
          label={t('payouts.tax.form.registration')}
          help={t('payouts.tax.form.registrationHelp')}
          autoComplete="off"
          {...form.field('registration_number')}
        />
      </div>
    );
  }
  return (
    <div className={classes.pair}>
      <TextField
        label={t('payouts.form.firstName')}
        autoComplete="given-name"
        {...form.field('first_name')}
      />
      <TextField label={t('payouts.form.lastName')} autoComplete="family-name" {...form.field('last_name')} />
      <DayField label={t('payouts.form.birthdate')} autoComplete="bday" {...form.field('birth_date')} />
    </div>
  );
}

function Home({ form, isPerson }: PartProps) {
  const { t } = useTranslation();
  const names = useCountries();
  return (
    <div className={classes.pair}>
      <TextField
        label={t('payouts.form.street')}
        help={t(isPerson ? 'payouts.tax.form.addressHelp' : 'payouts.tax.form.seatHelp')}
        autoComplete="street-address"
        {...form.field('street')}
      />
      <TextField
        label={t('payouts.form.postcode')}
        isOptional={!needsPostcode(form.values.country)}
        inputMode={isPostcodeNumber(form.values.country) ? 'numeric' : undefined}
        autoComplete="postal-code"
        {...form.field('postal_code')}
      />
      <TextField label={t('payouts.form.city')} autoComplete="address-level2" {...form.field('city')} />
      <SelectField
        label={t('payouts.form.country')}
        autoComplete="country"
        data={names}
        {...form.field('country')}
      />
    </div>
  );
}

function Numbers({ form, isPerson, given }: PartProps & { given?: TaxDataValues }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const names = useCountries();
  const { values } = form;
  const isNone = isWithoutNumber(values);
  const kept = keptNumber(values, given);
  const own = values.issued_by === 'FI' || values.issued_by === 'SE' ? values.issued_by : undefined;
  return (
    <>
      <div className={classes.pair}>
        {isNone && isPerson && (
          <>
            <TextField
              label={t('payouts.tax.form.birthCity')}
              autoComplete="off"
              {...form.field('birth_city')}
            />
            <SelectField
              label={t('payouts.tax.form.birthCountry')}
              data={names}
              {...form.field('birth_country')}
            />
          </>
        )}
        {!isNone && (
          <>
            <SelectField label={t('payouts.tax.form.issuedBy')} data={names} {...form.field('issued_by')} />
            <TextField
              label={t(
                own
                  ? `payouts.tax.form.number${own}${isPerson ? '' : 'Business'}`
                  : 'payouts.tax.form.number',
              )}
              help={
                kept &&
                t('payouts.tax.form.numberKept', {
                  country: formatCountry(language, kept.issued_by),
                  end: kept.end,
                })
              }
              autoComplete="off"
              autoCapitalize="characters"
              spellCheck={false}
              {...form.field('number')}
            />
          </>
        )}
      </div>
      {(isPerson || isInRegister(values)) && (
        <CheckField
          label={t(isPerson ? 'payouts.tax.form.none' : 'payouts.tax.form.noneBusiness')}
          isChecked={values.has_none}
          onChange={(hasNone) => form.setValue('has_none', hasNone)}
        />
      )}
      <div className={classes.pair}>
        <TextField
          label={t('payouts.tax.form.vat')}
          isOptional
          help={t('payouts.tax.form.vatHelp')}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          {...form.field('vat_id')}
        />
      </div>
    </>
  );
}

function useCountries() {
  const language = useLanguage();
  return useMemo(() => countryOptions(language), [language]);
}
