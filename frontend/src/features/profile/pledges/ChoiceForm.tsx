import type { TFunction } from 'i18next';
import { useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isApiError } from '../../../api/apiError';
import { useCampaignRewardsQuery } from '../../../api/content';
import type { OwnPledge } from '../../../api/own';
import { fromCents, toCents } from '../../../domain/amounts';
import { maxQuantity } from '../../../domain/stock';
import { useLanguage } from '../../../i18n';
import { useErrorText } from '../../../i18n/errorText';
import { formatMoney } from '../../../i18n/format';
import { AmountField } from '../../../ui/AmountField';
import { RewardTitle } from '../../../ui/RewardTitle';
import { AppMantineProvider } from '../../../ui/AppMantineProvider';
import { Button } from '../../../ui/Button';
import { StepperField } from '../../../ui/StepperField';
import { Unread } from '../../../ui/Unread';
import { useAppForm } from '../../../ui/useAppForm';
import type { PledgeActs } from './acts';
import {
  bodyOf,
  faultsOf,
  isKept,
  leastCents,
  mostOfSame,
  plainText,
  thenCents,
  type ChoiceValues,
} from './choice';
import { useToPayment } from './useToPayment';
import { Anew, Rewards } from './ChoiceFields';
import own from './ChoiceForm.module.css';
import classes from './MyPledgesPage.module.css';

export interface ChoiceFormProps {
  pledge: OwnPledge;
  acts: PledgeActs;
  onKeep: () => void;
  onDone: () => void;
}

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
  const call = useCampaignRewardsQuery({ campaignId: campaign.campaign_id, language });
  const { data } = call;
  // The same key for the same change, however often it is sent: an answer that was lost is no second change.
  const sent = useRef({ body: '', key: '' });
  const toPayment = useToPayment(campaign);
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
      const { error: failed, raise } = await acts.choose({ ...body, key: sent.current.key });
      // What was sent came to nothing, or is over: pressed again, it is another change.
      if (isApiError(failed) && failed.status === 'pledge_changed_elsewhere')
        sent.current = { body: '', key: '' };
      if (isApiError(failed)) form.showFailure(failed, errorText(failed, 'ChoiceForm'), 'amount');
      else if (!failed && raise) toPayment(raise);
      else if (!failed) onDone();
    },
  });
  const { values } = form;
  const reward = rewardOf(values);
  const kept = isKept(pledge, values);
  const sum = (cents: number) => formatMoney(language, fromCents(cents), { cents: true, currency });
  const now = toCents(pledge.amount);
  const then = thenCents(pledge, values, reward);
  const less = then === undefined ? undefined : now - then;
  // What is charged further is a payment of its own, which has a least sum.
  const isTooLittle = less !== undefined && less < 0 && -less < leastCents;
  const name = kept ? pledge.reward_title : reward?.title;
  const isChanged = form.isChanged;
  return (
    <form {...form.formProps} className={own.box} aria-labelledby={id}>
      <div className={own.fields}>
        <h4 ref={title} id={id} tabIndex={-1} className={own.title}>
          {t('myPledges.choice.act')}
        </h4>
        {isChoosing ? (
          <Rewards pledge={pledge} rewards={rewards} form={form}>
            {!data && <Unread of={call} where="ChoiceForm" lines={2} />}
          </Rewards>
        ) : (
          <p className={own.chosen}>
            <b>
              {kept ? <RewardTitle title={pledge.reward_title} language={pledge.reward_language} /> : name}
            </b>
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
                ? mostOfSame(pledge.quantity, reward)
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
            <dt>
              <RewardTitle
                title={pledge.reward_title}
                language={pledge.reward_language}
                within={t('myPledges.choice.now', { what: whatOf(pledge.reward_title, pledge.quantity, t) })}
              />
            </dt>
            <dd>{sum(now)}</dd>
          </div>
          <div>
            <dt>
              <RewardTitle
                title={name ?? ''}
                language={kept ? pledge.reward_language : undefined}
                within={t('myPledges.choice.then', { what: whatOf(name, Number(values.quantity), t) })}
              />
            </dt>
            <dd>{then === undefined ? '–' : sum(then)}</dd>
          </div>
        </dl>
      </div>
      <div className={own.band} role="status">
        {less === undefined || isTooLittle ? (
          <p className={own.what}>
            {less === undefined
              ? t('myPledges.choice.notYet')
              : t('myPledges.choice.tooLittle', { sum: sum(leastCents) })}
          </p>
        ) : less < 0 ? (
          <>
            <div>
              <p className={own.what}>{t('myPledges.choice.more')}</p>
              <p className={own.note}>{t('myPledges.choice.moreNote')}</p>
            </div>
            <p className={own.less}>{sum(-less)}</p>
          </>
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
          {isChanged && less !== undefined && !isTooLittle && (
            <Button type="submit" loading={form.isSubmitting}>
              {less > 0
                ? t('myPledges.choice.doBack', { sum: sum(less) })
                : less < 0
                  ? t('myPledges.choice.doMore', { sum: sum(-less) })
                  : t('myPledges.choice.do')}
            </Button>
          )}
        </div>
      </div>
    </form>
  );
}

function whatOf(title: string | undefined, quantity: number, t: TFunction) {
  if (!title) return t('myPledges.withoutReward');
  return quantity > 1 ? t('myPledges.withReward', { quantity, title }) : title;
}
