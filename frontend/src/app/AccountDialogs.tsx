import { useEffect } from 'react';
import { useSelector } from 'react-redux';
import { selectIsSignedIn } from '../api/session';
import { useAppDispatch } from '../api/useAppDispatch';
import SignInDialog from '../features/auth/SignInDialog';
import { SignOutDialog } from '../features/auth/SignOutDialog';
import { askToSignIn, closeSignIn, modeChanged, selectSignInPrompt } from '../ui/signInPrompt';
import { useNamedDialog } from '../ui/useNamedDialog';

const names = ['sign-in', 'sign-up', 'sign-out'] as const;

/** The dialogs for signing in, up and out. Pages open them by askToSignIn, addresses by name. */
export default function AccountDialogs() {
  const dispatch = useAppDispatch();
  const isSignedIn = useSelector(selectIsSignedIn);
  const prompt = useSelector(selectSignInPrompt);
  const { name, rename, dismiss, leave } = useNamedDialog(names);
  const mode = name === 'sign-in' ? 'signIn' : name === 'sign-up' ? 'signUp' : undefined;
  const isMeaningless = name !== undefined && (name === 'sign-out') !== isSignedIn;

  useEffect(() => {
    if (isMeaningless) leave();
    // eslint-disable-next-line react-hooks/exhaustive-deps -- once for each name
  }, [isMeaningless, name]);
  useEffect(() => {
    if (!mode || isMeaningless) return undefined;
    dispatch(askToSignIn({ mode }));
    // Also when the browser's back button takes the name out of the address.
    return () => void dispatch(closeSignIn());
    // eslint-disable-next-line react-hooks/exhaustive-deps -- once for each name
  }, [mode]);

  return (
    <>
      <SignInDialog
        prompt={prompt}
        onClose={() => {
          dispatch(closeSignIn());
          dismiss();
        }}
        onDone={() => {
          dispatch(closeSignIn());
          leave();
        }}
        onMode={(next) => {
          dispatch(modeChanged(next));
          rename(next === 'signIn' ? 'sign-in' : 'sign-up');
        }}
      />
      <SignOutDialog isOpen={name === 'sign-out' && isSignedIn} onClose={dismiss} onDone={leave} />
    </>
  );
}
