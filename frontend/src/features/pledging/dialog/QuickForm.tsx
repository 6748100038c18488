import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { paths } from '../../../domain/paths';
import { useLanguage } from '../../../i18n';
import { TextButton } from '../../../ui/TextButton';
import { AmountPicker } from '../AmountPicker';
import { PayerSection } from '../bank/PayerSection';
import { ChargedBand } from '../ChargedBand';
import { CheckoutMethods, CheckoutPay, doubtOf, type CheckoutPartProps } from '../CheckoutParts';
import { ContactSection } from '../ContactSection';
import { isBusy } from '../flow/machine';
import { KeptDetails } from '../KeptDetails';
import classes from './QuickForm.module.css';

export interface QuickFormProps extends CheckoutPartProps {
  /** How many rewards the campaign has. */
  rewardCount: number;
}

/** The form of a pledge without a reward: how much, how it is paid, who pays, and the button. */
export function QuickForm({ checkout, rewardCount }: QuickFormProps) {
  const { campaign, form, user, flow, payment, chosenSum } = checkout;
  const { t } = useTranslation();
  const language = useLanguage();
  const button = useRef<HTMLButtonElement>(null);
  const doubt = doubtOf(flow.state);
  const named = { id: campaign.campaign_id, slug: campaign.slug };
  return (
    <form {...checkout.formProps}>
      <p className={classes.lead}>{t('pledge.quick.lead')}</p>
      {doubt && <KeptDetails values={form.values} reward={undefined} isMonthly={false} />}
      {/* Hidden, not removed: the card that was typed is still there if it was not charged. */}
      <div hidden={doubt !== undefined} className={classes.sections}>
        <div data-path="reward" className={classes.amount}>
          <AmountPicker form={form} currency={campaign.currency} isRow />
        </div>
        <CheckoutMethods checkout={checkout} isFolded />
        {checkout.needsPayer && <PayerSection form={form} />}
        {user ? <Who checkout={checkout} /> : <ContactSection form={form} user={user} isMonthly={false} />}
      </div>
      <div className={classes.pay}>
        {!doubt && chosenSum !== undefined && !payment.isImpossible && (
          <ChargedBand words={payment.words} sum={chosenSum} />
        )}
        <CheckoutPay checkout={checkout} button={button} />
      </div>
      {!doubt && !isBusy(flow.state) && (
        <p className={classes.rewards}>
          {rewardCount > 0 && t('pledge.quick.wantReward')}{' '}
          <Link to={paths.pledge(language, named)}>
            {rewardCount > 0
              ? t('pledge.quick.chooseReward', { count: rewardCount })
              : t('pledge.quick.toPage')}
          </Link>
        </p>
      )}
    </form>
  );
}

/** Who pays, in one row; it opens into the fields, also when something in them is wrong. */
function Who({ checkout: { form, user } }: CheckoutPartProps) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const { first_name: first, last_name: last, email, anonymous } = form.values;
  const isWhole = first.trim() !== '' && last.trim() !== '' && email.trim() !== '';
  const isWrong = (['first_name', 'last_name', 'email'] as const).some(
    (name) => form.errorOf(name) !== undefined,
  );
  if (isOpen || !isWhole || isWrong) return <ContactSection form={form} user={user} isMonthly={false} />;
  return (
    <div className={classes.who}>
      <div className={classes.person}>
        <p className={classes.name}>
          {anonymous ? t('pledge.quick.shownAnonymous') : `${first.trim()} ${last.trim()}`}
        </p>
        <p className={classes.email}>{email.trim()}</p>
      </div>
      <div className={classes.acts}>
        <TextButton look="aside" onPress={() => form.setValue('anonymous', !anonymous)}>
          {t(anonymous ? 'pledge.quick.showName' : 'pledge.quick.hideName')}
        </TextButton>
        <TextButton look="aside" isOpen={false} onPress={() => setOpen(true)}>
          {t('pledge.quick.change')}
        </TextButton>
      </div>
    </div>
  );
}
