import { Dialog } from '../../ui/Dialog';
import type { SignInPrompt } from '../../ui/signInPrompt';
import { useOpenedAfterMount } from '../../ui/useOpenedAfterMount';
import { SignInSteps, useStepTitle } from './SignInSteps';
import classes from './auth.module.css';

export interface SignInDialogProps {
  prompt: SignInPrompt;
  onClose: () => void;
  /** Called before the session begins. */
  onDone: () => void;
  onMode: (mode: SignInPrompt['mode']) => void;
}

/** The dialog for signing in and signing up. */
export default function SignInDialog({ prompt, onClose, onDone, onMode }: SignInDialogProps) {
  const title = useStepTitle(prompt);
  return (
    <Dialog
      isOpen={useOpenedAfterMount(prompt.isOpen)}
      onClose={onClose}
      title={title}
      aside={<div className={classes.art} />}
    >
      <SignInSteps prompt={prompt} onDone={onDone} onMode={onMode} />
    </Dialog>
  );
}
