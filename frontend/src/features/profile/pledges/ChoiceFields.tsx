import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Reward } from '../../../api/content';
import type { OwnPledge } from '../../../api/own';
import { isGone, stockLeft } from '../../../domain/stock';
import { useLanguage } from '../../../i18n';
import { formatMoney } from '../../../i18n/format';
import { AddressFields } from '../../../ui/AddressFields';
import { TextareaField } from '../../../ui/fields';
import { OptionRow } from '../../../ui/OptionRow';
import { RewardTitle } from '../../../ui/RewardTitle';
import type { AppForm } from '../../../ui/useAppForm';
import { additionOf, isSent, questionsOf, type ChoiceValues } from './choice';
import own from './ChoiceForm.module.css';
import classes from './MyPledgesPage.module.css';

export interface RewardsProps {
  pledge: OwnPledge;
  rewards: readonly Reward[];
  form: AppForm<ChoiceValues>;
  /** In the place of what is offered while that is not known. */
  children: ReactNode;
}

/** What is offered now, and what the pledge is for, which may be offered no more. */
export function Rewards({ pledge, rewards, form, children }: RewardsProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { currency, reward_id: was } = pledge;
  const choose = (reward: string) => {
    form.setValue('reward', reward);
    form.setValue('quantity', reward === String(was ?? '') ? String(pledge.quantity) : '1');
    form.setValue('added_cost', -1);
    form.setValue('custom_questions', {});
  };
  const price = (amount: number) =>
    formatMoney(language, amount, { cents: !Number.isInteger(amount), currency });
  return (
    <fieldset className={own.options} data-path="reward">
      <legend className="tk-visually-hidden">{t('pledge.chooseReward')}</legend>
      {was && (
        <OptionRow
          name="reward"
          value={String(was)}
          isChecked={form.values.reward === String(was)}
          onChoose={() => choose(String(was))}
          label={<RewardTitle title={pledge.reward_title} language={pledge.reward_language} />}
          detail={t('myPledges.choice.yours')}
          note={price(pledge.choice.unit ?? 0)}
        />
      )}
      {children}
      {rewards
        .filter((one) => one.reward_id !== was && !isGone(one))
        .map((one) => (
          <OptionRow
            key={one.reward_id}
            name="reward"
            value={String(one.reward_id)}
            isChecked={form.values.reward === String(one.reward_id)}
            onChoose={() => choose(String(one.reward_id))}
            label={one.title}
            detail={stockLeft(one) === undefined ? undefined : t('reward.left', { count: stockLeft(one) })}
            note={price(one.amount)}
          />
        ))}
      <OptionRow
        name="reward"
        value=""
        isChecked={form.values.reward === ''}
        onChoose={() => choose('')}
        label={t('myPledges.withoutReward')}
      />
    </fieldset>
  );
}

/** What a reward that is chosen anew asks for. */
export function Anew({
  form,
  reward,
  currency,
}: {
  form: AppForm<ChoiceValues>;
  reward: Reward;
  currency: string;
}) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { values } = form;
  return (
    <>
      {reward.added_costs.length > 0 && (
        <fieldset className={own.options} data-path="added_cost">
          <legend>{t('pledge.addedCost')}</legend>
          <div role="alert" className={classes.failure}>
            {form.errorOf('added_cost')}
          </div>
          {reward.added_costs.map(({ amount, description }, place) => (
            <OptionRow
              // The API identifies added costs by their position.
              key={place}
              name="added_cost"
              value={String(place)}
              isChecked={place === additionOf(values, reward)}
              onChoose={() => form.setValue('added_cost', place)}
              label={description}
              note={formatMoney(language, amount, { cents: !Number.isInteger(amount), currency })}
            />
          ))}
        </fieldset>
      )}
      {isSent(values, reward) && <AddressFields country={values.address_country} field={form.field} />}
      {questionsOf(reward).map(({ key, text }) => (
        <TextareaField
          key={key}
          label={text}
          autosize={false}
          rows={3}
          data-path={key}
          value={values.custom_questions[key] ?? ''}
          error={form.errorOf(key)}
          onChange={(event) =>
            form.setValue('custom_questions', {
              ...values.custom_questions,
              [key]: event.currentTarget.value,
            })
          }
        />
      ))}
    </>
  );
}
