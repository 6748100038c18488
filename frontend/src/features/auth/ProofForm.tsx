import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isApiError, type ApiError } from '../../api/apiError';
import { all, maxLength, minLength, required } from '../../domain/rules';
import { useErrorText } from '../../i18n/errorText';
import { Button } from '../../ui/Button';
import { PasswordField, TextField } from '../../ui/fields';
import { useAppForm, type RuleTable } from '../../ui/useAppForm';
import classes from './auth.module.css';
import { knowsPasskeys } from './passkeys';

export type ProofMethod = 'password' | 'passkey' | 'totp' | 'backup_code';

interface ProofValues {
  password: string;
  code: string;
  backup_code: string;
}

/** What was typed: one of the fields. */
export type TypedProof = Partial<ProofValues>;

export interface ProofFormProps {
  /** The first is shown; the others can be chosen. */
  methods: readonly ProofMethod[];
  submitLabel: string;
  /** Sends what was typed. Resolves to why it was refused. */
  onTyped: (proof: TypedProof) => Promise<unknown>;
  /** Lets a passkey sign and sends it. Resolves to why it was refused; 'interrupted' if nothing was signed. */
  onPasskey: () => Promise<unknown>;
}

const fieldOf = { password: 'password', totp: 'code', backup_code: 'backup_code' } as const;

/** Shows who one is: by a code, a passkey, a backup code or the password. */
export function ProofForm({ methods, submitLabel, onTyped, onPasskey }: ProofFormProps) {
  const { t } = useTranslation();
  const usable = methods.filter((one) => one !== 'passkey' || knowsPasskeys());
  const [chosen, setChosen] = useState<ProofMethod>();
  const method = chosen ?? usable[0] ?? 'backup_code';
  return (
    <div className={classes.proof}>
      {method === 'passkey' ? (
        <PasskeyProof onPasskey={onPasskey} />
      ) : (
        <Typed key={method} field={fieldOf[method]} submitLabel={submitLabel} onTyped={onTyped} />
      )}
      {usable.length > 1 && (
        <div className={classes.instead}>
          {usable
            .filter((one) => one !== method)
            .map((one) => (
              <Button
                key={one}
                variant="transparent"
                size="sm"
                className={classes.flat}
                onClick={() => setChosen(one)}
              >
                {t(`auth.proof.instead.${one}`)}
              </Button>
            ))}
        </div>
      )}
    </div>
  );
}

function PasskeyProof({ onPasskey }: Pick<ProofFormProps, 'onPasskey'>) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>();
  const use = async () => {
    setBusy(true);
    setFailure(undefined);
    setFailure(await onPasskey());
    setBusy(false);
  };
  return (
    <>
      <p className={classes.reason}>{t('auth.proof.passkeyText')}</p>
      {Boolean(failure) && (
        <p role="alert" className={classes.failure}>
          {isApiError(failure) ? textOf(failure, errorText) : t('auth.passkeyFailed')}
        </p>
      )}
      <Button size="xl" fullWidth loading={isBusy} onClick={() => void use()} data-autofocus>
        {t('auth.proof.usePasskey')}
      </Button>
    </>
  );
}

const textOf = (error: ApiError, errorText: ReturnType<typeof useErrorText>) =>
  error.fields?.[0]?.message ?? errorText(error, 'ProofForm');

const rules: RuleTable<ProofValues> = {
  password: required,
  code: all(required, minLength(6), maxLength(12)),
  backup_code: all(required, minLength(10), maxLength(40)),
};

interface TypedProps extends Pick<ProofFormProps, 'submitLabel' | 'onTyped'> {
  field: keyof ProofValues;
}

function Typed({ field, submitLabel, onTyped }: TypedProps) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const form = useAppForm<TypedProof>({
    initialValues: { [field]: '' },
    rules: { [field]: rules[field] },
    onSubmit: async (values) => {
      // A password is sent as it is typed; around a code that was copied, spaces mean nothing.
      const typed = field === 'password' ? values[field] : values[field]?.trim();
      const error = await onTyped({ [field]: typed });
      if (isApiError(error)) {
        form.setValue(field, '');
        form.showFailure(error, errorText(error, 'ProofForm'), field);
      }
    },
  });
  const code = { autoComplete: 'one-time-code', autoCapitalize: 'none', spellCheck: false } as const;
  return (
    <form {...form.formProps} className={classes.form}>
      {field === 'password' && (
        <PasswordField
          label={t('auth.password')}
          autoComplete="current-password"
          data-autofocus
          {...form.field('password')}
        />
      )}
      {field === 'code' && (
        <TextField
          label={t('auth.proof.code')}
          help={t('auth.proof.codeHelp')}
          inputMode="numeric"
          data-autofocus
          {...code}
          {...form.field('code')}
        />
      )}
      {field === 'backup_code' && (
        <TextField
          label={t('auth.proof.backupCode')}
          help={t('auth.proof.backupCodeHelp')}
          data-autofocus
          {...code}
          {...form.field('backup_code')}
        />
      )}
      <Button type="submit" size="xl" fullWidth loading={form.isSubmitting}>
        {submitLabel}
      </Button>
    </form>
  );
}
