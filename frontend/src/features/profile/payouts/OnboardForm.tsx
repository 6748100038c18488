import { useEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isApiError } from '../../../api/apiError';
import {
  useLinkStripeAccountMutation,
  useOnboardStripeAccountMutation,
  type StripeOnboarding,
} from '../../../api/payees';
import { useAppDispatch } from '../../../api/useAppDispatch';
import { homeCountry } from '../../../domain/countries';
import payeeCountries from '../../../domain/payeeCountries.generated.json';
import { paths } from '../../../domain/paths';
import { useLanguage } from '../../../i18n';
import { countryOptions } from '../../../i18n/countryOptions';
import { Button } from '../../../ui/Button';
import { FieldGroup } from '../../../ui/FieldGroup';
import { SelectField } from '../../../ui/fields';
import { ExternalLinkIcon } from '../../../ui/icons';
import { leaveFor } from '../../../ui/leaveFor';
import { OptionRow } from '../../../ui/OptionRow';
import { askToSignIn } from '../../../ui/signInPrompt';
import { useAppForm } from '../../../ui/useAppForm';
import { holders, type Holder } from './accountValues';
import { Failure } from './Failure';
import { onboardingAddresses } from './payoutsAddress';
import { useFailureText } from './useFailureText';
import classes from './PayoutsPage.module.css';

interface OnboardValues {
  country: string;
  paid_as: Holder;
}

const types: Readonly<Record<Holder, StripeOnboarding['account']['type']>> = {
  person: 'individual',
  association: 'non_profit',
  company: 'company',
};

export interface OnboardFormProps {
  userId: number;
  /** There is an account, and its page at the partner could not be opened. */
  onMade: () => void;
}

/** What provider A has to know of an account before its person goes on there. */
export function OnboardForm({ userId, onMade }: OnboardFormProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const dispatch = useAppDispatch();
  const failureText = useFailureText();
  const [onboard] = useOnboardStripeAccountMutation();
  const [link] = useLinkStripeAccountMutation();
  const [failure, setFailure] = useState<string>();
  // A new object for each press: who comes back by the browser's button can leave again.
  const [leaving, setLeaving] = useState<{ url: string }>();
  const names = useMemo(
    () => countryOptions(language).filter(({ value }) => payeeCountries.includes(value)),
    [language],
  );
  const form = useAppForm<OnboardValues>({
    initialValues: { country: homeCountry, paid_as: 'person' },
    rules: () => ({}),
    onSubmit: async ({ country, paid_as: holder }) => {
      setFailure(undefined);
      const url = `${window.location.origin}${paths.profile(language, userId)}`;
      const made = await onboard({ stripeOnboarding: { account: { country, type: types[holder], url } } });
      if (!made.data) {
        if (!isApiError(made.error)) return;
        setFailure(failureText(made.error, 'OnboardForm'));
        if (made.error.http === 401) dispatch(askToSignIn());
        return;
      }
      const linked = await link({
        id: made.data.account.id,
        stripeLinking: { account: onboardingAddresses(language) },
      });
      const address = linked.data?.stripeAccountLink.url;
      if (address) setLeaving({ url: address });
      else onMade();
    },
  });
  useEffect(() => {
    if (leaving) leaveFor(leaving.url);
  }, [leaving]);
  const { values } = form;

  return (
    <form {...form.formProps} className={classes.part} aria-labelledby="who-is-paid">
      <h2 id="who-is-paid">{t('payouts.form.title')}</h2>
      <p className={classes.lead}>{t('payouts.form.lead')}</p>
      <div className={classes.pair}>
        <SelectField
          label={t('payouts.form.country')}
          help={t('payouts.form.countryHelp')}
          autoComplete="country"
          data={names}
          {...form.field('country')}
        />
        <FieldGroup label={t('payouts.form.paidAs')} name="onboard_paid_as" error={form.errorOf('paid_as')}>
          <div className={classes.options}>
            {holders.map((holder) => (
              <OptionRow
                key={holder}
                name="onboard_paid_as"
                value={holder}
                isChecked={values.paid_as === holder}
                onChoose={() => form.setValue('paid_as', holder)}
                label={t(`payouts.form.as.${holder}`)}
              />
            ))}
          </div>
        </FieldGroup>
      </div>
      {failure && <Failure>{failure}</Failure>}
      <div className={classes.foot}>
        <p className={classes.note}>
          {t(values.paid_as === 'person' ? 'payouts.form.ready.person' : 'payouts.form.ready.entity')}{' '}
          {t('payouts.form.rest')}
        </p>
        <Button
          type="submit"
          size="lg"
          leftSection={<ExternalLinkIcon size={16} />}
          loading={form.isSubmitting}
        >
          {t('payouts.form.submit')}
        </Button>
      </div>
    </form>
  );
}
