import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Reward } from '../../api/content';
import { countries, homeCountry, isPostcodeNumber } from '../../domain/countries';
import type { Language } from '../../domain/languages';
import { useLanguage } from '../../i18n';
import { formatCountry } from '../../i18n/format';
import { SelectField, TextareaField, TextField } from '../../ui/fields';
import classes from './fields.module.css';
import { needsAddress, questionField, shownQuestions, type PledgeForm } from './form/values';
import { SavedAddress } from './SavedAddress';
import { Section } from './Section';

export interface AddressSectionProps {
  form: PledgeForm;
  reward: Reward | undefined;
  isSignedIn: boolean;
}

/** The delivery address and the creator's questions, if the reward asks for them. */
export function AddressSection({ form, reward, isSignedIn }: AddressSectionProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const questions = shownQuestions(reward);
  const countryNames = useMemo(() => countryOptions(language), [language]);
  if (!reward) return null;
  const { address_country: country } = form.values;
  return (
    <>
      {needsAddress(form.values, reward) && (
        <Section title={t('pledge.address')}>
          {isSignedIn && <SavedAddress form={form} />}
          <TextField
            label={t('pledge.field.address_street')}
            autoComplete="street-address"
            {...form.field('address_street')}
          />
          <div className={classes.pair}>
            <TextField
              label={t('pledge.field.address_postcode')}
              inputMode={isPostcodeNumber(country) ? 'numeric' : undefined}
              autoComplete="postal-code"
              {...form.field('address_postcode')}
            />
            <TextField
              label={t('pledge.field.address_city')}
              autoComplete="address-level2"
              {...form.field('address_city')}
            />
          </div>
          <SelectField
            label={t('pledge.field.address_country')}
            autoComplete="country"
            data={countryNames}
            {...form.field('address_country')}
          />
          <TextField
            label={t('pledge.field.address_phone')}
            isOptional
            type="tel"
            autoComplete="tel"
            placeholder="+358"
            help={t('pledge.phoneHelp')}
            {...form.field('address_phone')}
          />
        </Section>
      )}
      {questions.length > 0 && (
        <Section title={t('pledge.questions')}>
          {questions.map(({ key, text }) => (
            <TextareaField
              key={key}
              label={text}
              autosize={false}
              rows={3}
              {...form.field(questionField(reward.reward_id, key))}
            />
          ))}
        </Section>
      )}
    </>
  );
}

/** All countries by name in the page's language, with the home country first. */
function countryOptions(language: Language) {
  const named = countries.map((value) => ({ value, label: formatCountry(language, value) }));
  const isHome = ({ value }: { value: string }) => value === homeCountry;
  const others = named.filter((one) => !isHome(one)).sort((a, b) => a.label.localeCompare(b.label, language));
  return [...named.filter(isHome), ...others];
}
