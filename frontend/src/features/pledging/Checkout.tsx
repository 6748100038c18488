import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router-dom';
import { toCents } from '../../domain/amounts';
import { paths } from '../../domain/paths';
import { useLanguage } from '../../i18n';
import { BackLink } from '../../ui/BackLink';
import { keepFocus } from '../../ui/page';
import { AddressSection } from './AddressSection';
import { PayerSection } from './bank/PayerSection';
import classes from './Checkout.module.css';
import { CheckoutMethods, CheckoutOnce, CheckoutPay, doubtOf } from './CheckoutParts';
import { ContactSection } from './ContactSection';
import { KeptDetails } from './KeptDetails';
import { LevelSection, useChoiceOnBack } from './LevelSection';
import { PayBar } from './PayBar';
import { RewardSection } from './RewardSection';
import { Summary } from './Summary';
import { useCheckout, type CheckoutOptions } from './useCheckout';

/** The form of a pledge: its sections, the summary and the pay button. The choice is in the path. */
export function Checkout(options: Omit<CheckoutOptions, 'isAmountOnly'>) {
  const { campaign, choice } = options;
  const { t } = useTranslation();
  const language = useLanguage();
  const navigate = useNavigate();
  const payButton = useRef<HTMLButtonElement>(null);
  const named = { id: campaign.campaign_id, slug: campaign.slug };
  const checkout = useCheckout(options);
  const { form, flow, payment, reward, rewards, isMonthly, user, sum, fault, money, today } = checkout;
  const { values } = form;
  const doubt = doubtOf(flow.state);
  useChoiceOnBack(isMonthly, form, rewards, choice);

  const choose = (id: number | undefined) => {
    form.setValue('without_reward', id === undefined);
    form.setError('reward', null);
    const address =
      id === undefined ? paths.pledge(language, named) : paths.pledgeReward(language, named, id);
    void navigate(address, { state: keepFocus, preventScrollReset: true });
  };

  return (
    <form {...checkout.formProps} className={`tk-container ${classes.root}`}>
      <div className={classes.sections}>
        <BackLink to={paths.campaign(language, named)}>{campaign.title}</BackLink>
        <h1 className={`tk-form-title ${classes.title}`}>{t('pledge.title')}</h1>
        {doubt && <KeptDetails values={values} reward={reward} isMonthly={isMonthly} />}
        {/* Hidden, not removed: the card that was typed is still there if it was not charged. */}
        <div hidden={doubt !== undefined}>
          {isMonthly ? (
            <LevelSection campaign={campaign} levels={rewards} level={reward} form={form} />
          ) : (
            <RewardSection
              campaign={campaign}
              rewards={rewards}
              chosen={checkout.chosen}
              form={form}
              onChoose={choose}
            />
          )}
          <ContactSection form={form} user={user} isMonthly={isMonthly} />
          <AddressSection form={form} reward={reward} isSignedIn={user !== null} />
          {checkout.needsPayer && <PayerSection form={form} />}
          <CheckoutMethods checkout={checkout} />
        </div>
      </div>
      <aside className={classes.aside} aria-label={t('pledge.summary')}>
        <Summary
          campaign={campaign}
          reward={reward}
          values={values}
          sum={sum}
          fault={fault}
          isUnknown={doubt !== undefined}
          words={payment.words}
          today={today}
        >
          <CheckoutPay checkout={checkout} button={payButton} />
        </Summary>
      </aside>
      {!checkout.ways && !(payment.isImpossible && !doubt) && (
        <PayBar
          // Its button, which the bar stands in for, is another one then.
          key={doubt ? 'asking' : 'paying'}
          asking={doubt && flow.asking}
          sum={doubt ? money(toCents(doubt.amount)) : checkout.chosenSum}
          fault={fault}
          state={flow.state}
          isReady={payment.isReady}
          words={payment.words}
          onChooseMethod={() => form.focusField('method')}
          button={payButton}
        />
      )}
      <CheckoutOnce checkout={checkout} />
    </form>
  );
}
