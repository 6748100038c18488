import { encode } from 'uqr';
import { isApiError } from '../../../api/apiError';
import { useConfirmTotpMutation, type TotpSecret } from '../../../api/security';
import { all, maxLength, minLength, required } from '../../../domain/rules';
import { useErrorText } from '../../../i18n/errorText';
import { Button } from '../../../ui/Button';
import { Dialog } from '../../../ui/Dialog';
import { TextField } from '../../../ui/fields';
import { useNotify } from '../../../ui/notify';
import { useAppForm } from '../../../ui/useAppForm';
import type { AddProps } from './AddPasskey';
import classes from './security.module.css';
import { useTexts } from './texts';

export interface SetUpTotpProps extends Pick<AddProps, 'confirmed' | 'onClose' | 'onAdded'> {
  /** Just made; the dialog is open while there is one. */
  secret: TotpSecret | undefined;
}

/** Shows a new secret as a QR code and as text, and takes the app's first code. */
export function SetUpTotp({ secret, onClose, ...rest }: SetUpTotpProps) {
  const texts = useTexts();
  return (
    <Dialog isOpen={secret !== undefined} onClose={onClose} title={texts.totp.title}>
      {secret && <FirstCode secret={secret} {...rest} />}
    </Dialog>
  );
}

interface FirstCodeProps extends Pick<AddProps, 'confirmed' | 'onAdded'> {
  secret: TotpSecret;
}

function FirstCode({ secret, confirmed, onAdded }: FirstCodeProps) {
  const texts = useTexts();
  const errorText = useErrorText();
  const notify = useNotify();
  const [confirmTotp] = useConfirmTotpMutation();
  const form = useAppForm<{ code: string }>({
    initialValues: { code: '' },
    rules: { code: all(required, minLength(6), maxLength(12)) },
    onSubmit: async ({ code }) => {
      const answer = await confirmed.run(() => confirmTotp({ totpCode: { code: code.trim() } }));
      if (!answer) return;
      if (isApiError(answer.error)) {
        form.showFailure(answer.error, errorText(answer.error, 'SetUpTotp'), 'code');
        return;
      }
      notify({ tone: 'success', title: texts.totp.added });
      onAdded(answer.data?.backup_codes);
    },
  });
  return (
    <form {...form.formProps} className={classes.form}>
      <p>{texts.totp.scan}</p>
      <QRCode text={secret.uri} label={texts.totp.qr} />
      <p>
        {texts.totp.orType}
        <br />
        <code className={classes.secret}>{inFours(secret.secret)}</code>
      </p>
      <TextField
        label={texts.totp.code}
        help={texts.totp.codeHelp}
        inputMode="numeric"
        autoComplete="one-time-code"
        {...form.field('code')}
      />
      <Button type="submit" size="lg" fullWidth loading={form.isSubmitting}>
        {texts.totp.use}
      </Button>
    </form>
  );
}

const inFours = (secret: string) => secret.replace(/(.{4})(?=.)/g, '$1 ');

/** Dark on light in both themes: many apps read nothing else. */
function QRCode({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { border: 2 });
  const path = data
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')))
    .join('');
  return (
    <svg className={classes.qr} viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label}>
      <path d={path} />
    </svg>
  );
}
