import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { countries } from '../../../domain/countries';
import { useLanguage } from '../../../i18n';
import { formatCountry } from '../../../i18n/format';
import { DayField } from '../../../ui/DayField';
import { SelectField } from '../../../ui/fields';
import type { PledgeForm } from '../form/values';
import { Section } from '../Section';
import classes from './PayerSection.module.css';

/** What the provider has to know of who pays, for some ways of paying. */
export function PayerSection({ form }: { form: PledgeForm }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const names = useMemo(
    () =>
      countries
        .map((value) => ({ value, label: formatCountry(language, value) }))
        .sort((a, b) => a.label.localeCompare(b.label, language)),
    [language],
  );
  return (
    <Section title={t('pledge.payer.title')}>
      <p className={classes.why}>{t('pledge.payer.why')}</p>
      <div className={classes.triple}>
        <DayField label={t('pledge.payer.birthdate')} autoComplete="bday" {...form.field('birthdate')} />
        <SelectField label={t('pledge.payer.nationality')} data={names} {...form.field('nationality')} />
        <SelectField
          label={t('pledge.payer.residence')}
          autoComplete="country"
          data={names}
          {...form.field('residence_country')}
        />
      </div>
    </Section>
  );
}
