import { useTranslation } from 'react-i18next';
import type { LocalUser } from '../../api/session';
import { PasswordField, TextField } from '../../ui/fields';
import classes from './fields.module.css';
import type { PledgeForm } from './form/values';
import { CheckField } from '../../ui/CheckField';
import { OptionRow } from '../../ui/OptionRow';
import { Section } from './Section';

export interface ContactSectionProps {
  form: PledgeForm;
  user: LocalUser | null;
  isMonthly: boolean;
}

const accountChoices = ['none', 'new', 'existing'] as const;

/** The backer's email and name. An account is optional. */
export function ContactSection({ form, user, isMonthly }: ContactSectionProps) {
  const { t } = useTranslation();
  const { account, anonymous, hide_amount } = form.values;
  return (
    <Section title={t('pledge.contact')}>
      <TextField
        label={t('auth.email')}
        type="email"
        inputMode="email"
        autoComplete="email"
        help={user ? t('pledge.emailHelpSignedIn') : t('pledge.emailHelp')}
        {...form.field('email')}
      />
      <div className={classes.pair}>
        <TextField label={t('auth.firstName')} autoComplete="given-name" {...form.field('first_name')} />
        <TextField label={t('auth.lastName')} autoComplete="family-name" {...form.field('last_name')} />
      </div>
      <fieldset className={classes.plainGroup}>
        <legend className={classes.legend}>{t(isMonthly ? 'pledge.shownMonthly' : 'pledge.shown')}</legend>
        <CheckField
          label={t('pledge.anonymous')}
          isChecked={anonymous}
          onChange={(isChecked) => form.setValue('anonymous', isChecked)}
        />
        <CheckField
          label={t('pledge.hideAmount')}
          isChecked={hide_amount}
          onChange={(isChecked) => form.setValue('hide_amount', isChecked)}
        />
      </fieldset>
      {!user && (
        <fieldset className={classes.plainGroup} data-path="account">
          <legend className={classes.legend}>{t('pledge.account')}</legend>
          {accountChoices.map((choice) => (
            <OptionRow
              key={choice}
              name="account"
              value={choice}
              isChecked={account === choice}
              onChoose={() => form.setValue('account', choice)}
              label={t(`pledge.accountWay.${choice}`)}
              isPlain
            >
              {account === choice && choice !== 'none' && (
                <AccountFields form={form} isNew={choice === 'new'} />
              )}
            </OptionRow>
          ))}
        </fieldset>
      )}
    </Section>
  );
}

interface AccountFieldsProps {
  form: PledgeForm;
  isNew: boolean;
}

function AccountFields({ form, isNew }: AccountFieldsProps) {
  const { t } = useTranslation();
  return (
    <div className={classes.openedPlain}>
      <PasswordField
        label={t('auth.password')}
        autoComplete={isNew ? 'new-password' : 'current-password'}
        help={isNew ? t('auth.passwordHelp') : t('pledge.existingHelp')}
        {...form.field('password')}
      />
      {isNew && (
        <PasswordField
          label={t('auth.passwordAgain')}
          autoComplete="new-password"
          {...form.field('password_again')}
        />
      )}
    </div>
  );
}
