import { useTranslation } from 'react-i18next';
import type { Reward } from '../../api/content';
import { TextareaField } from '../../ui/fields';
import { AddressFields } from '../../ui/AddressFields';
import { needsAddress } from './form/sums';
import { questionField, shownQuestions, type PledgeForm } from './form/values';
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
  const questions = shownQuestions(reward);
  if (!reward) return null;
  const { address_country: country } = form.values;
  return (
    <>
      {needsAddress(form.values, reward) && (
        <Section title={t('pledge.address')}>
          {isSignedIn && <SavedAddress form={form} />}
          <AddressFields country={country} field={form.field} />
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
