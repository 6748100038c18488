import { useTranslation } from 'react-i18next';
import type { Campaign, Reward } from '../../api/content';
import { isGone, isScarce, stockLeft } from '../../domain/stock';
import { useLanguage } from '../../i18n';
import { Chip } from '../../ui/Chip';
import fieldClasses from './fields.module.css';
import type { PledgeForm } from './form/values';
import { price } from './money';
import { ChoiceError, AmountPicker } from './AmountPicker';
import { OptionRow } from '../../ui/OptionRow';
import classes from './RewardSection.module.css';

export interface RewardPickerProps {
  campaign: Campaign;
  rewards: readonly Reward[];
  reward: Reward | undefined;
  form: PledgeForm;
  onChoose: (rewardId: number | undefined) => void;
}

/** The campaign's rewards, and the choice to pledge without one. The choice is in the path. */
export function RewardPicker({ campaign, rewards, reward, form, onChoose }: RewardPickerProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const isWithout = !reward && form.values.without_reward;
  return (
    <fieldset className={fieldClasses.group} data-path="reward">
      <legend className="tk-visually-hidden">{t('pledge.chooseReward')}</legend>
      <ChoiceError>{form.errorOf('reward')}</ChoiceError>
      {rewards.map((one) => (
        <OptionRow
          key={one.reward_id}
          name="reward"
          value={String(one.reward_id)}
          isChecked={one.reward_id === reward?.reward_id}
          isDisabled={isGone(one)}
          onChoose={() => onChoose(one.reward_id)}
          label={
            <span className={classes.option}>
              <span className={classes.optionName}>{one.title}</span>
              <Stock reward={one} />
            </span>
          }
          note={<span className={classes.optionPrice}>{price(language, one.amount, campaign.currency)}</span>}
          detail={isGone(one) ? undefined : one.description}
          isDetailCut
        />
      ))}
      <OptionRow
        name="reward"
        value="none"
        isChecked={isWithout}
        onChoose={() => onChoose(undefined)}
        label={<span className={classes.optionName}>{t('pledge.noReward')}</span>}
        note={<span className={classes.optionHint}>{t('pledge.noRewardNote')}</span>}
      >
        {isWithout && <AmountPicker form={form} currency={campaign.currency} />}
      </OptionRow>
    </fieldset>
  );
}

function Stock({ reward }: { reward: Reward }) {
  const { t } = useTranslation();
  const left = stockLeft(reward);
  if (left === undefined) return null;
  if (left === 0) return <Chip>{t('reward.goneChip')}</Chip>;
  return <Chip tone={isScarce(reward) ? 'cloud' : 'plain'}>{t('reward.left', { count: left })}</Chip>;
}
