import { useRef, useState, type ReactNode } from 'react';
import { isApiError } from '../../../api/apiError';
import {
  useBeginConfirmationMutation,
  useConfirmIdentityMutation,
  type Confirmation,
  type Security,
} from '../../../api/security';
import { readNow } from '../../../api/extra';
import { useAppDispatch } from '../../../api/useAppDispatch';
import { Dialog } from '../../../ui/Dialog';
import { signWithPasskey } from '../passkeys';
import { ProofForm, type ProofMethod } from '../ProofForm';
import { useTexts } from './texts';

interface Answer<Data> {
  data?: Data;
  error?: unknown;
}

export interface Confirmed {
  /**
   * Runs a call that changes how somebody signs in. If they have not shown lately that it is still them, a dialog asks
   * first. Undefined if the person has closed the dialog.
   */
  run: <Data>(call: () => Promise<Answer<Data>>) => Promise<Answer<Data> | undefined>;
  dialog: ReactNode;
}

/**
 * Asks who is signed in to show that it is still them, when a call needs it. `bySecondStep`: the call takes the password
 * itself, and only the server knows whether it needs a second step, too.
 */
export function useConfirmed(state: Security | undefined, bySecondStep = false): Confirmed {
  const dispatch = useAppDispatch();
  const [isAsking, setAsking] = useState(false);
  const answer = useRef<(isConfirmed: boolean) => void>(undefined);

  const close = (isConfirmed: boolean) => {
    setAsking(false);
    answer.current?.(isConfirmed);
    answer.current = undefined;
  };
  return {
    run: async (call) => {
      const until = state?.confirmed_until;
      if (bySecondStep || (until && Date.parse(until) > dispatch(readNow()))) {
        const first = await call();
        const isWanted = isApiError(first.error) && first.error.status === 'confirmation_required';
        if (!isWanted) return first;
      }
      setAsking(true);
      const isConfirmed = await new Promise<boolean>((resolve) => {
        answer.current = resolve;
      });
      return isConfirmed ? call() : undefined;
    },
    dialog: state && (
      <ConfirmIdentity
        isOpen={isAsking}
        state={state}
        onClose={() => close(false)}
        onDone={() => close(true)}
      />
    ),
  };
}

interface ConfirmIdentityProps {
  isOpen: boolean;
  state: Security;
  onClose: () => void;
  onDone: () => void;
}

/** The dialog that asks, by what the account has: the password is not enough where there is a second step. */
export function ConfirmIdentity({ isOpen, state, onClose, onDone }: ConfirmIdentityProps) {
  const texts = useTexts();
  const [confirmIdentity] = useConfirmIdentityMutation();
  const [begin] = useBeginConfirmationMutation();
  const hasSteps = state.passkeys.length > 0 || state.totp !== undefined;
  const methods = [
    state.has_password && !hasSteps && 'password',
    state.passkeys.length > 0 && 'passkey',
    state.totp && 'totp',
    state.backup_codes_left > 0 && 'backup_code',
  ].filter((one): one is ProofMethod => Boolean(one));

  const confirm = async (confirmation: Confirmation) => {
    const { error } = await confirmIdentity({ confirmation });
    if (!error) onDone();
    return error;
  };
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={texts.confirm.title}>
      <p>{hasSteps ? texts.confirm.textStep : texts.confirm.text}</p>
      <ProofForm
        methods={methods}
        submitLabel={texts.confirm.submit}
        onTyped={confirm}
        onPasskey={async () => {
          const begun = await begin();
          if (!begun.data) return begun.error;
          const passkey = await signWithPasskey(begun.data.options);
          return passkey ? confirm({ challenge: begun.data.challenge, passkey }) : 'interrupted';
        }}
      />
    </Dialog>
  );
}
