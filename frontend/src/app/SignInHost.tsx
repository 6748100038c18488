import { useState } from 'react';
import { useSelector } from 'react-redux';
import { useAppDispatch } from '../api/useAppDispatch';
import { lazyComponent } from '../ui/lazyComponent';
import { useTexts } from '../ui/useTexts';
import { closeSignIn, selectSignInPrompt } from '../ui/signInPrompt';

const SignInDialog = lazyComponent(
  () => import(/* webpackChunkName: "sign-in" */ '../features/auth/SignInDialog'),
);

const textParts = ['forms', 'errors'] as const;

/** Renders the sign-in dialog when a page asks for it. Its code and texts are loaded the first time. */
export function SignInHost() {
  const prompt = useSelector(selectSignInPrompt);
  const dispatch = useAppDispatch();
  const [wasAsked, setAsked] = useState(false);
  if (prompt.isOpen && !wasAsked) setAsked(true);

  const hasTexts = useTexts(wasAsked ? textParts : undefined);

  if (!hasTexts) return null;
  return <SignInDialog prompt={prompt} onClose={(typed) => dispatch(closeSignIn(typed))} />;
}
