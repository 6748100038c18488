import { useTranslation } from 'react-i18next';
import { useTakeSecondStepMutation, type SecondStep, type SecondStepProof } from '../../api/account';
import { isApiError } from '../../api/apiError';
import { signWithPasskey } from './passkeys';
import { ProofForm } from './ProofForm';
import { useAuthFailed } from './useAuthFailed';
import { useStartSession } from './useStartSession';
import { Button } from '../../ui/Button';
import classes from './auth.module.css';

export interface SecondStepFormProps {
  asked: SecondStep;
  onDone: () => void;
  /** Back to email and password. */
  onBack: () => void;
}

/** The second step of a sign-in. */
export function SecondStepForm({ asked, onDone, onBack }: SecondStepFormProps) {
  const { t } = useTranslation();
  const startSession = useStartSession();
  const failed = useAuthFailed();
  const [takeSecondStep] = useTakeSecondStepMutation();

  const take = async (proof: Omit<SecondStepProof, 'challenge'>) => {
    const { data, error } = await takeSecondStep({
      secondStepProof: { challenge: asked.challenge, ...proof },
    });
    if (data) {
      onDone();
      startSession(data, 'login');
    } else if (isApiError(error)) failed('signIn', error);
    return error;
  };

  return (
    <>
      <ProofForm
        methods={asked.methods}
        submitLabel={t('auth.step.submit')}
        onTyped={take}
        onPasskey={async () => {
          const passkey = await signWithPasskey(asked.passkey ?? {});
          return passkey ? take({ passkey }) : 'interrupted';
        }}
      />
      <p className={classes.other}>
        <Button variant="transparent" size="sm" className={classes.flat} onClick={onBack}>
          {t('auth.step.again')}
        </Button>
      </p>
    </>
  );
}
