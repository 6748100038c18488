import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { isPostcodeNumber, needsPostcode } from '../domain/countries';
import { useLanguage } from '../i18n';
import { countryOptions } from '../i18n/countryOptions';
import { SelectField, TextField } from './fields';
import type { AppForm } from './useAppForm';
import classes from './AddressFields.module.css';

/** The fields of a postal address, named as in the API. */
export interface AddressValues {
  address_street: string;
  address_postcode: string;
  address_city: string;
  address_country: string;
  address_phone: string;
}

export interface AddressFieldsProps {
  /** ISO 3166-1 alpha-2; it decides the keyboard of the postcode. */
  country: string;
  field: AppForm<AddressValues>['field'];
}

/** Where a reward is sent. */
export function AddressFields({ country, field }: AddressFieldsProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const countryNames = useMemo(() => countryOptions(language), [language]);
  return (
    <>
      <TextField
        label={t('pledge.field.address_street')}
        autoComplete="street-address"
        {...field('address_street')}
      />
      <div className={classes.pair}>
        <TextField
          label={t('pledge.field.address_postcode')}
          isOptional={!needsPostcode(country)}
          inputMode={isPostcodeNumber(country) ? 'numeric' : undefined}
          autoComplete="postal-code"
          {...field('address_postcode')}
        />
        <TextField
          label={t('pledge.field.address_city')}
          autoComplete="address-level2"
          {...field('address_city')}
        />
      </div>
      <SelectField
        label={t('pledge.field.address_country')}
        autoComplete="country"
        data={countryNames}
        {...field('address_country')}
      />
      <TextField
        label={t('pledge.field.address_phone')}
        isOptional
        type="tel"
        autoComplete="tel"
        placeholder="+358"
        help={t('pledge.phoneHelp')}
        {...field('address_phone')}
      />
    </>
  );
}
