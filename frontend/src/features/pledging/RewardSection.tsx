import { Button } from '../../ui/Button';
import { useEffect, useRef, useState } from 'react';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import type { Campaign, Reward } from '../../api/content';
import { isGone, maxQuantity, stockLeft } from '../../domain/stock';
import { useLanguage } from '../../i18n';
import { FaultText } from '../../ui/FaultText';
import { AlertCircleIcon } from '../../ui/icons';
import { Picture } from '../../ui/Picture';
import { AmountField } from '../../ui/AmountField';
import fieldClasses from './fields.module.css';
import { quantityFault } from './form/rules';
import { ChoiceError } from './AmountPicker';
import { addedCostIndex } from './form/sums';
import { type PledgeForm } from './form/values';
import { price } from './money';
import { OptionRow } from '../../ui/OptionRow';
import { StepperField } from '../../ui/StepperField';
import { RewardPicker } from './RewardPicker';
import classes from './RewardSection.module.css';
import { Section } from './Section';
import type { ChosenReward, RewardProblem } from './useChosenReward';

export interface RewardSectionProps {
  campaign: Campaign;
  rewards: readonly Reward[];
  form: PledgeForm;
  onChoose: (rewardId: number | undefined) => void;
  /** The reward that the path names. */
  chosen: ChosenReward;
}

/** The reward with its quantity and options, or the amount of a pledge without a reward. */
export function RewardSection(props: RewardSectionProps) {
  const { campaign, rewards, form, onChoose, chosen } = props;
  const { reward, problem, isRefused } = chosen;
  const { t } = useTranslation();
  const [isChoosing, setChoosing] = useState(!reward);
  const picker = useRef<HTMLDivElement>(null);
  const wasChangePressed = useRef(false);

  useEffect(() => {
    if (!wasChangePressed.current || !isChoosing) return;
    wasChangePressed.current = false;
    picker.current?.querySelector<HTMLInputElement>('input:checked, input')?.focus();
  }, [isChoosing]);

  // It was refused as Pay was pressed, far below.
  const note = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    if (!isRefused) return;
    note.current?.focus({ preventScroll: true });
    note.current?.scrollIntoView({ block: 'center' });
  }, [isRefused]);

  return (
    <Section title={t('pledge.reward')}>
      {problem && (
        <p
          ref={note}
          tabIndex={-1}
          className={classes.gone}
          role={problem === 'gone' || problem === 'unknown' ? 'status' : 'alert'}
        >
          <AlertCircleIcon />
          {t(problemTexts[problem])}
        </p>
      )}
      {isChoosing || !reward ? (
        <div ref={picker}>
          <RewardPicker
            campaign={campaign}
            rewards={problem ? nearestFirst(rewards, chosen.amount) : rewards}
            reward={reward}
            form={form}
            onChoose={(id) => {
              chosen.onChosen();
              onChoose(id);
            }}
          />
        </div>
      ) : (
        <ChosenCard
          reward={reward}
          currency={campaign.currency}
          onChange={() => {
            wasChangePressed.current = true;
            setChoosing(true);
          }}
        />
      )}
      {reward && <RewardFields reward={reward} currency={campaign.currency} form={form} />}
    </Section>
  );
}

const problemTexts = {
  taken: 'pledge.taken',
  withdrawn: 'pledge.withdrawn',
  gone: 'reward.gone',
  unknown: 'pledge.noSuchReward',
} as const satisfies Record<RewardProblem, string>;

/** The rewards with the free one first that costs most nearly the same. */
function nearestFirst(rewards: readonly Reward[], amount: number | undefined): readonly Reward[] {
  if (amount === undefined) return rewards;
  const apart = (one: Reward) => Math.abs(one.amount - amount);
  const [nearest] = rewards.filter((one) => !isGone(one)).sort((one, two) => apart(one) - apart(two));
  return nearest ? [nearest, ...rewards.filter((one) => one !== nearest)] : rewards;
}

interface ChosenCardProps {
  reward: Reward;
  currency: string;
  onChange: () => void;
}

function ChosenCard({ reward, currency, onChange }: ChosenCardProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  return (
    <div className={classes.chosen} data-art={reward.image ? true : undefined}>
      {reward.image && (
        <Picture
          name={reward.image}
          alt={reward.image_alt}
          ratio={4 / 3}
          widths={[132, 264]}
          sizes="8.25rem"
          shape="thumb"
        />
      )}
      <div className={classes.words}>
        <div className={classes.head}>
          <h3 className={classes.name}>{reward.title}</h3>
          <span className={classes.price}>{price(language, reward.amount, currency)}</span>
        </div>
        {reward.description && <p className={classes.text}>{reward.description}</p>}
        <Button
          variant="transparent"
          size="sm"
          className={classes.change}
          data-path="reward"
          onClick={onChange}
        >
          {t('pledge.changeReward')}
        </Button>
      </div>
    </div>
  );
}

/** How many are left, and the most that one pledge may take if that is fewer. */
function leftText(t: TFunction, reward: Reward): string | undefined {
  const left = stockLeft(reward);
  const max = maxQuantity(reward);
  if (left === undefined) return undefined;
  return max < left ? t('pledge.leftAtMost', { count: left, max }) : t('pledge.left', { count: left });
}

interface RewardFieldsProps {
  reward: Reward;
  currency: string;
  form: PledgeForm;
}

/** Quantity, added cost (such as delivery) and a voluntary extra amount. */
function RewardFields({ reward, currency, form }: RewardFieldsProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const values = form.values;
  const chosen = addedCostIndex(values, reward);
  const fault = quantityFault(values.quantity, reward);
  const error = form.errorOf('quantity');
  const refused = error && (
    <>
      {error} <span>{leftText(t, reward)}</span>
    </>
  );
  return (
    <>
      <StepperField
        label={t('pledge.quantity')}
        name="quantity"
        lessLabel={t('pledge.less')}
        moreLabel={t('pledge.more')}
        value={values.quantity}
        onChange={(value) => form.setValue('quantity', value)}
        max={maxQuantity(reward)}
        note={leftText(t, reward)}
        error={refused ?? (fault?.key === 'atMost' && <FaultText fault={fault} />)}
      />
      {reward.added_costs.length > 0 && (
        <fieldset className={fieldClasses.group} data-path="added_cost">
          <legend className={fieldClasses.legend}>{t('pledge.addedCost')}</legend>
          <ChoiceError>{form.errorOf('added_cost')}</ChoiceError>
          {reward.added_costs.map(({ amount, description }, place) => (
            <OptionRow
              // The API identifies added costs by their position.
              key={place}
              name="added_cost"
              value={String(place)}
              isChecked={place === chosen}
              onChoose={() => form.setValue('added_cost', place)}
              label={description}
              note={amount > 0 ? `+ ${price(language, amount, currency)}` : price(language, 0, currency)}
            />
          ))}
        </fieldset>
      )}
      <AmountField
        label={t('pledge.field.extra')}
        isOptional
        help={t('pledge.extraHelp')}
        {...form.field('extra')}
      />
    </>
  );
}
