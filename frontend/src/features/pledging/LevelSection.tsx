import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { NavigationType, useNavigate, useNavigationType } from 'react-router-dom';
import type { Campaign, Reward } from '../../api/content';
import { fromCents, toCents } from '../../domain/amounts';
import { paths } from '../../domain/paths';
import { useLanguage } from '../../i18n';
import { AmountField } from '../../ui/AmountField';
import { LevelChoice } from '../../ui/LevelChoice';
import { keepFocus } from '../../ui/page';
import { choiceAt, pathCents } from './form/levels';
import type { PledgeForm } from './form/values';
import { Section } from './Section';

export interface LevelSectionProps {
  campaign: Campaign;
  levels: readonly Reward[];
  /** The chosen one; undefined for one's own amount, or for none. */
  level: Reward | undefined;
  form: PledgeForm;
}

/** The levels of monthly support, and one's own amount. What is chosen is in the path, as its amount. */
export function LevelSection({ campaign, levels, level, form }: LevelSectionProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const navigate = useNavigate();
  const { without_reward: isOwn, amount } = form.values;
  const named = { id: campaign.campaign_id, slug: campaign.slug };
  const go = (cents: number | undefined, replace: boolean) =>
    void navigate(
      cents ? paths.pledgeAmount(language, named, fromCents(cents)) : paths.pledge(language, named),
      { state: keepFocus, preventScrollReset: true, replace },
    );
  const choose = (one: Reward | undefined) => {
    form.setValue('without_reward', one === undefined);
    form.setValue('level', one?.reward_id ?? 0);
    form.setError('reward', null);
    go(one ? toCents(one.amount) : pathCents(amount), false);
  };

  return (
    <Section title={t('pledge.monthly.level')}>
      <LevelChoice
        name="reward"
        legend={t('pledge.monthly.choose')}
        levels={levels}
        currency={campaign.currency}
        chosen={level?.reward_id ?? (isOwn ? 'own' : undefined)}
        onChoose={choose}
        error={form.errorOf('reward')}
        ownLabel={t('pledge.monthly.own')}
        ownNote={t('pledge.monthly.ownNote')}
        ownField={
          <AmountField
            label={t('pledge.monthly.ownField')}
            {...form.field('amount')}
            onChange={(event) => {
              form.setValue('amount', event.currentTarget.value);
              const cents = pathCents(event.currentTarget.value);
              if (cents) go(cents, true);
            }}
          />
        }
      />
    </Section>
  );
}

/** The browser's Back and Forward choose by the amount in the path. */
export function useChoiceOnBack(
  isMonthly: boolean,
  form: PledgeForm,
  levels: readonly Reward[],
  amount: number | undefined,
): void {
  const isBack = useNavigationType() === NavigationType.Pop;
  const latest = useRef({ form, levels });
  useEffect(() => {
    latest.current = { form, levels };
  });
  useEffect(() => {
    if (!isMonthly || !isBack) return;
    const { values, setValue } = latest.current.form;
    const choice = choiceAt(values, latest.current.levels, amount);
    if (choice.without_reward !== values.without_reward) setValue('without_reward', choice.without_reward);
    if (choice.amount !== values.amount) setValue('amount', choice.amount);
  }, [isMonthly, isBack, amount]);
}
