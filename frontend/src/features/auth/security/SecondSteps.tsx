import { useState } from 'react';
import { isApiError } from '../../../api/apiError';
import {
  useBeginTotpMutation,
  useMakeBackupCodesMutation,
  useRemoveTotpMutation,
  type Security,
  type TotpSecret,
} from '../../../api/security';
import { useErrorText } from '../../../i18n/errorText';
import { Button } from '../../../ui/Button';
import { ConfirmDialog } from '../../../ui/ConfirmDialog';
import { PlusIcon } from '../../../ui/icons';
import { useNotify } from '../../../ui/notify';
import { SwitchField } from '../../../ui/SwitchField';
import { knowsPasskeys } from '../passkeys';
import { AddPasskey } from './AddPasskey';
import { BackupCodes } from './BackupCodes';
import { ChangePassword } from './ChangePassword';
import { CodeAppIcon, CodesIcon } from './icons';
import { PasskeyRow, useDays } from './PasskeyRow';
import { Row } from './Row';
import classes from './security.module.css';
import { SetUpTotp } from './SetUpTotp';
import { fill, useTexts } from './texts';
import { useConfirmed } from './useConfirmed';

type Open = 'passkey' | 'totpOff' | 'newCodes' | 'password';

/** The second steps of an account: passkeys, a code app, backup codes; and the password. */
export function SecondSteps({ state }: { state: Security }) {
  const texts = useTexts();
  const days = useDays();
  const notify = useNotify();
  const errorText = useErrorText();
  const confirmed = useConfirmed(state);
  const [open, setOpen] = useState<Open>();
  const [codes, setCodes] = useState<readonly string[]>();
  const [secret, setSecret] = useState<TotpSecret>();
  const [beginTotp] = useBeginTotpMutation();
  const [removeTotp, removing] = useRemoveTotpMutation();
  const [makeBackupCodes, making] = useMakeBackupCodesMutation();
  const close = () => {
    setOpen(undefined);
    setSecret(undefined);
  };
  // What was closed meanwhile hears of its answer late: it closes nothing else.
  const leave = (one: Open) => setOpen((now) => (now === one ? undefined : now));
  const showCodes = (made?: readonly string[]) => made && setCodes(made);
  const refused = (error: unknown) => {
    if (isApiError(error)) notify({ tone: 'error', title: errorText(error, 'SecondSteps') });
  };
  const turnOn = async () => {
    const answer = await confirmed.run(() => beginTotp());
    if (answer?.error) refused(answer.error);
    else setSecret(answer?.data);
  };
  const turnOff = async () => {
    const answer = await confirmed.run(() => removeTotp());
    if (!answer) return;
    leave('totpOff');
    if (answer.error) refused(answer.error);
    else notify({ tone: 'success', title: texts.totp.offDone });
  };
  const makeCodes = async () => {
    const answer = await confirmed.run(() => makeBackupCodes());
    if (!answer) return;
    leave('newCodes');
    if (answer.error) refused(answer.error);
    else setCodes(answer.data?.backup_codes);
  };
  const hasSteps = state.totp !== undefined || state.passkeys.length > 0;

  return (
    <section className={classes.section} aria-labelledby="second-steps">
      <h2 id="second-steps" className={classes.title}>
        {texts.steps.title}
      </h2>
      <p className={classes.text}>{texts.steps.text}</p>
      <ul className={classes.rows}>
        {state.passkeys.map((passkey) => (
          <PasskeyRow key={passkey.passkey_id} passkey={passkey} confirmed={confirmed} />
        ))}
        <Row
          icon={<CodeAppIcon />}
          title={texts.steps.app}
          text={state.totp ? days(state.totp) : texts.steps.appHelp}
        >
          <SwitchField
            label={
              <>
                <span className="tk-visually-hidden">{texts.steps.app}: </span>
                <span className={classes.inUse}>{state.totp ? texts.steps.inUse : texts.steps.notInUse}</span>
              </>
            }
            isOn={state.totp !== undefined}
            onChange={(isOn) => (isOn ? void turnOn() : setOpen('totpOff'))}
          />
        </Row>
        <Row
          icon={<CodesIcon />}
          title={texts.steps.codes}
          text={
            hasSteps ? fill(texts.steps.codesLeft, { count: state.backup_codes_left }) : texts.steps.codesNone
          }
        >
          {hasSteps && (
            <Button variant="outline" size="sm" onClick={() => setOpen('newCodes')}>
              {texts.steps.newCodes}
            </Button>
          )}
        </Row>
      </ul>
      <div className={classes.acts}>
        {knowsPasskeys() ? (
          <Button variant="light" leftSection={<PlusIcon size={16} />} onClick={() => setOpen('passkey')}>
            {texts.steps.add}
          </Button>
        ) : (
          <p className={classes.text}>{texts.passkey.unsupported}</p>
        )}
        {state.has_password && (
          <Button variant="transparent" className={classes.flat} onClick={() => setOpen('password')}>
            {texts.steps.password}
          </Button>
        )}
      </div>

      <AddPasskey
        isOpen={open === 'passkey'}
        confirmed={confirmed}
        onClose={close}
        onAdded={(made) => {
          leave('passkey');
          showCodes(made);
        }}
      />
      <SetUpTotp
        secret={secret}
        confirmed={confirmed}
        onClose={close}
        onAdded={(made) => {
          setSecret((now) => (now === secret ? undefined : now));
          showCodes(made);
        }}
      />
      <ChangePassword state={state} isOpen={open === 'password'} onClose={close} />
      <ConfirmDialog
        isOpen={open === 'totpOff'}
        title={texts.totp.offTitle}
        confirmLabel={texts.totp.off}
        cancelLabel={texts.passkey.keep}
        isConfirming={removing.isLoading}
        onConfirm={() => void turnOff()}
        onCancel={close}
      >
        {texts.totp.offText}
      </ConfirmDialog>
      <ConfirmDialog
        isOpen={open === 'newCodes'}
        title={texts.codes.newTitle}
        confirmLabel={texts.codes.make}
        cancelLabel={texts.passkey.keep}
        isConfirming={making.isLoading}
        isDestructive={false}
        onConfirm={() => void makeCodes()}
        onCancel={close}
      >
        {texts.codes.newText}
      </ConfirmDialog>
      <BackupCodes codes={codes} onClose={() => setCodes(undefined)} />
      {confirmed.dialog}
    </section>
  );
}
