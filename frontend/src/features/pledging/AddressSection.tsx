import { useTranslation } from 'react-i18next';
import type { Reward } from '../../api/content.generated';
import { TextareaField, TextField } from '../../ui/fields';
import classes from './fields.module.css';
import { questionField, shownQuestions, type PledgeForm } from './form/values';
import { Section } from './Section';

export interface AddressSectionProps {
  form: PledgeForm;
  reward: Reward | undefined;
}

/** What the reward asks for: where to send it, and the creator's own questions. Nothing when it asks nothing. */
export function AddressSection({ form, reward }: AddressSectionProps) {
  const { t } = useTranslation();
  const questions = shownQuestions(reward);
  if (!reward) return null;
  return (
    <>
      {reward.asks_for_address && (
        <Section title={t('pledge.address')}>
          <TextField
            label={t('pledge.field.address_street')}
            autoComplete="street-address"
            {...form.field('address_street')}
          />
          <div className={classes.pair}>
            <TextField
              label={t('pledge.field.address_postcode')}
              inputMode="numeric"
              autoComplete="postal-code"
              {...form.field('address_postcode')}
            />
            <TextField
              label={t('pledge.field.address_city')}
              autoComplete="address-level2"
              {...form.field('address_city')}
            />
          </div>
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
