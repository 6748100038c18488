import type { TFunction } from 'i18next';
import { useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isApiError } from '../../../api/apiError';
import { useCampaignRewardsQuery, type Reward } from '../../../api/content';
import type { OwnPledge, PledgeChoice } from '../../../api/own';
import { fromCents, parseCents, plainAmount, toCents } from '../../../domain/amounts';
import { all, deliveryPostcode, maxLength, required } from '../../../domain/rules';
import { isGone, maxQuantity, stockLeft } from '../../../domain/stock';
import { useLanguage } from '../../../i18n';
import { useErrorText } from '../../../i18n/errorText';
import { formatMoney } from '../../../i18n/format';
import { AddressFields } from '../../../ui/AddressFields';
import { AmountField } from '../../../ui/AmountField';
import { AppMantineProvider } from '../../../ui/AppMantineProvider';
import { Button } from '../../../ui/Button';
import { TextareaField } from '../../../ui/fields';
import { OptionRow } from '../../../ui/OptionRow';
import { StepperField } from '../../../ui/StepperField';
import { useAppForm, type AppForm, type Faults } from '../../../ui/useAppForm';
import type { PledgeActs } from './acts';
import { additionOf, isKept, isSent, thenCents, type ChoiceValues } from './choice';
import own from './ChoiceForm.module.css';
import classes from './MyPledgesPage.module.css';

export interface ChoiceFormProps {
  pledge: OwnPledge;
  acts: PledgeActs;
  onKeep: () => void;
  onDone: () => void;
}

/** Without the one that stands for the address. */
const questionsOf = (reward: Reward) =>
  reward.custom_questions.filter(({ text }) => text !== 'ask_for_address');

/** The change of a paid pledge: what it is for now, what then, and what becomes of the difference before it is pressed. */
export default function ChoiceForm(props: ChoiceFormProps) {
  return (
    <AppMantineProvider>
      <Form {...props} />
    </AppMantineProvider>
  );
}

function Form({ pledge, acts, onKeep, onDone }: ChoiceFormProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const errorText = useErrorText();
  const id = useId();
  const title = useRef<HTMLHeadingElement>(null);
  const { campaign, choice, currency, shipping } = pledge;
  const { data } = useCampaignRewardsQuery({ campaignId: campaign.campaign_id, language });
  // The same key for the same change, however often it is sent: an answer that was lost is no second change.
  const sent = useRef({ body: '', key: '' });
  const [isChoosing, setChoosing] = useState(!pledge.reward_id);
  useEffect(() => title.current?.focus(), []);
  const rewards = data?.rewards ?? [];
  const rewardOf = (values: ChoiceValues) =>
    rewards.find(({ reward_id: one }) => String(one) === values.reward);

  const form = useAppForm<ChoiceValues>({
    initialValues: {
      reward: String(pledge.reward_id ?? ''),
      quantity: String(pledge.quantity),
      added_cost: -1,
      amount: choice.extra ? plainText(choice.extra) : '',
      address_street: shipping?.address.address_street ?? '',
      address_postcode: shipping?.address.address_postcode ?? '',
      address_city: shipping?.address.address_city ?? '',
      address_country: shipping?.address.address_country ?? 'FI',
      address_phone: shipping?.address.address_phone ?? '',
      custom_questions: {},
    },
    rules: (values) => faultsOf(pledge, values, rewardOf(values)),
    onSubmit: async (values) => {
      const body = bodyOf(pledge, values, rewardOf(values));
      const text = JSON.stringify(body);
      if (sent.current.body !== text) sent.current = { body: text, key: crypto.randomUUID() };
      const error = await acts.choose({ ...body, key: sent.current.key });
      if (isApiError(error)) form.showFailure(error, errorText(error, 'ChoiceForm'), 'amount');
      else if (!error) onDone();
    },
  });
  const { values } = form;
  const reward = rewardOf(values);
  const kept = isKept(pledge, values);
  const sum = (cents: number) => formatMoney(language, fromCents(cents), { cents: true, currency });
  const now = toCents(pledge.amount);
  const then = thenCents(pledge, values, reward);
  const less = then === undefined ? undefined : now - then;
  const name = kept ? pledge.reward_title : reward?.title;
  const isChanged = form.isChanged;
  return (
    <form {...form.formProps} className={own.box} aria-labelledby={id}>
      <div className={own.fields}>
        <h4 ref={title} id={id} tabIndex={-1} className={own.title}>
          {t('myPledges.choice.act')}
        </h4>
        {isChoosing ? (
          <Rewards pledge={pledge} rewards={rewards} form={form} />
        ) : (
          <p className={own.chosen}>
            <b>{name}</b>
            <Button variant="transparent" size="sm" onClick={() => setChoosing(true)}>
              {t('myPledges.choice.other')}
            </Button>
          </p>
        )}
        {values.reward !== '' && (
          <StepperField
            label={t('pledge.quantity')}
            name="quantity"
            lessLabel={t('pledge.less')}
            moreLabel={t('pledge.more')}
            value={values.quantity}
            onChange={(value) => form.setValue('quantity', value)}
            max={
              values.reward === String(pledge.reward_id ?? '')
                ? pledge.quantity
                : reward
                  ? maxQuantity(reward)
                  : 1
            }
            error={form.errorOf('quantity')}
          />
        )}
        {!kept && reward && <Anew form={form} reward={reward} currency={currency} />}
        <AmountField
          label={t(values.reward === '' ? 'myPledges.choice.sum' : 'pledge.field.extra')}
          isOptional={values.reward !== ''}
          {...form.field('amount')}
        />
        <dl className={own.sums}>
          <div>
            <dt>{t('myPledges.choice.now', { what: whatOf(pledge.reward_title, pledge.quantity, t) })}</dt>
            <dd>{sum(now)}</dd>
          </div>
          <div>
            <dt>{t('myPledges.choice.then', { what: whatOf(name, Number(values.quantity), t) })}</dt>
            <dd>{then === undefined ? '–' : sum(then)}</dd>
          </div>
        </dl>
      </div>
      <div className={own.band} role="status">
        {less === undefined || less < 0 ? (
          <p className={own.what}>
            {less === undefined
              ? t('myPledges.choice.notYet')
              : t('myPledges.choice.more', { sum: sum(-less), now: sum(now) })}
          </p>
        ) : less === 0 ? (
          <p className={own.what}>{t(isChanged ? 'myPledges.choice.same' : 'myPledges.choice.notYet')}</p>
        ) : (
          <>
            <div>
              <p className={own.what}>{t('myPledges.choice.back')}</p>
              <p className={own.note}>
                {t(pledge.payment_method ? 'myPledges.choice.backTo' : 'myPledges.choice.backThere', {
                  method: pledge.payment_method,
                })}
              </p>
            </div>
            <p className={own.less}>{sum(less)}</p>
          </>
        )}
      </div>
      <div className={own.foot}>
        <p className={classes.help}>{t('myPledges.choice.one')}</p>
        <div className={own.acts}>
          <Button variant="transparent" onClick={onKeep}>
            {t('myPledges.choice.keep')}
          </Button>
          {isChanged && less !== undefined && less >= 0 && (
            <Button type="submit" loading={form.isSubmitting}>
              {less > 0 ? t('myPledges.choice.doBack', { sum: sum(less) }) : t('myPledges.choice.do')}
            </Button>
          )}
        </div>
      </div>
    </form>
  );
}

/** An amount as it is typed into a field. */
const plainText = (amount: number) => (Number.isInteger(amount) ? String(amount) : amount.toFixed(2));

function whatOf(title: string | undefined, quantity: number, t: TFunction) {
  if (!title) return t('myPledges.withoutReward');
  return quantity > 1 ? t('myPledges.withReward', { quantity, title }) : title;
}

function faultsOf(pledge: OwnPledge, values: ChoiceValues, reward: Reward | undefined): Faults {
  const faults: Record<string, Faults[string]> = {};
  if (values.amount.trim() !== '' && parseCents(values.amount) === undefined)
    faults.amount = { key: 'decimal', params: { places: 2 } };
  if (values.reward === '' && values.amount.trim() === '') faults.amount = { key: 'required' };
  if (isKept(pledge, values) || !reward) return faults;
  if (reward.added_costs.length > 0 && additionOf(values, reward) < 0)
    faults.added_cost = { key: 'required' };
  if (isSent(values, reward)) {
    faults.address_street = all(required, maxLength(200))(values.address_street, values);
    faults.address_postcode = deliveryPostcode(values.address_country)(values.address_postcode, values);
    faults.address_city = all(required, maxLength(100))(values.address_city, values);
  }
  for (const { key } of questionsOf(reward))
    faults[key] = all(required, maxLength(1000))(values.custom_questions[key] ?? '', values);
  return faults;
}

function bodyOf(
  pledge: OwnPledge,
  values: ChoiceValues,
  reward: Reward | undefined,
): Omit<PledgeChoice, 'key'> {
  const body = {
    number: pledge.choice.number,
    reward_id: values.reward === '' ? null : Number(values.reward),
    quantity: values.reward === '' ? 1 : Number(values.quantity),
    amount: fromCents(thenCents(pledge, values, reward) ?? 0),
  };
  if (isKept(pledge, values) || !reward) return body;
  const { address_street, address_postcode, address_city, address_country, address_phone } = values;
  return {
    ...body,
    reward_version: reward.reward_version,
    ...(reward.added_costs.length > 0 && { added_cost: additionOf(values, reward) }),
    ...(isSent(values, reward) && {
      address_street,
      address_postcode: plainAmount(address_postcode),
      address_city,
      address_country,
      address_phone,
    }),
    custom_questions: values.custom_questions,
  };
}

interface RewardsProps {
  pledge: OwnPledge;
  rewards: readonly Reward[];
  form: AppForm<ChoiceValues>;
}

/** What is offered now, and what the pledge is for, which may be offered no more. */
function Rewards({ pledge, rewards, form }: RewardsProps) {
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
          label={pledge.reward_title}
          detail={t('myPledges.choice.yours')}
          note={price(pledge.choice.unit ?? 0)}
        />
      )}
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
function Anew({ form, reward, currency }: { form: AppForm<ChoiceValues>; reward: Reward; currency: string }) {
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
