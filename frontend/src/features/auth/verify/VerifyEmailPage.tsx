import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { Link } from 'react-router-dom';
import { isApiError, type ApiError } from '../../../api/apiError';
import { selectUser } from '../../../api/session';
import { useAppDispatch } from '../../../api/useAppDispatch';
import { useConfirmEmailMutation } from '../../../api/verification';
import { paths } from '../../../domain/paths';
import { useLanguage } from '../../../i18n';
import { useErrorText } from '../../../i18n/errorText';
import { Button } from '../../../ui/Button';
import { useLinkToken } from '../../../ui/linkToken';
import { askToSignIn } from '../../../ui/signInPrompt';
import { usePageTitle } from '../../../ui/usePageTitle';
import { useTexts } from '../../../ui/verify/texts';
import { useSendLink } from '../../../ui/verify/useSendLink';
import classes from './VerifyEmailPage.module.css';

/**
 * The target of the link in the confirmation mail. Opening the page does not confirm the address, pressing the button
 * does, because mail servers open links to scan them. Who confirms is signed in: an address may have several accounts
 * until one of them is confirmed, and the link alone does not tell which is theirs.
 */
export function Component() {
  const token = useLinkToken();
  return <Confirmation key={token} token={token} />; // another link begins anew
}

function Confirmation({ token }: { token: string }) {
  const { t } = useTranslation();
  const texts = useTexts();
  const language = useLanguage();
  const dispatch = useAppDispatch();
  const user = useSelector(selectUser);
  const [confirmEmail, { data, error, isLoading }] = useConfirmEmailMutation();
  // The last one stays while another try runs, so that the pressed button does.
  const [refusal, setRefusal] = useState<ApiError>();
  if (isApiError(error) && error !== refusal) setRefusal(error);
  usePageTitle(t('auth.verifyTitle'));

  const home = (
    <Button component={Link} variant="outline" to={paths.home(language)}>
      {texts.home}
    </Button>
  );
  const confirm = (merge = false) => void confirmEmail({ emailLink: { token, merge } });
  // Who has confirmed the address keeps this account, and brings the other one into it.
  const merged = user?.verified ? texts.mergedHere : texts.merged;
  return (
    <article className="tk-container tk-section">
      <h1 className={`tk-form-title ${classes.title}`}>{t('auth.verifyTitle')}</h1>
      <div className={classes.words}>
        <div role="status">{data && <p>{data.outcome === 'merged' ? merged : texts.done}</p>}</div>
        {token === '' || data ? (
          <>
            {!data && <p>{texts.noLink}</p>}
            {home}
          </>
        ) : !user ? (
          <>
            <p>{texts.signInFirst}</p>
            <Button size="lg" onClick={() => dispatch(askToSignIn({ mode: 'signIn' }))}>
              {texts.signIn}
            </Button>
          </>
        ) : refusal ? (
          <Refusal
            error={refusal}
            isConfirmed={user.verified}
            isLoading={isLoading}
            onConfirm={confirm}
            home={home}
          />
        ) : (
          <>
            <p>{texts.ask}</p>
            <Button size="lg" loading={isLoading} onClick={() => confirm()}>
              {texts.confirm}
            </Button>
          </>
        )}
      </div>
    </article>
  );
}

interface RefusalProps {
  error: ApiError;
  /** Whether the signed-in account has confirmed the address. */
  isConfirmed: boolean;
  isLoading: boolean;
  onConfirm: (merge?: boolean) => void;
  home: ReactNode;
}

/** Why the link was not used, and what helps. */
function Refusal({ error, isConfirmed, isLoading, onConfirm, home }: RefusalProps) {
  const texts = useTexts();
  const text = useErrorText()(error, 'VerifyEmailPage');
  const { sendLink, isSending } = useSendLink();
  switch (error.status) {
    case 'email_link_expired':
      return (
        <>
          <p role="alert">
            {text} {texts.already}
          </p>
          <Button variant="outline" loading={isSending} onClick={() => void sendLink()}>
            {texts.again}
          </Button>
          {home}
        </>
      );
    case 'email_taken':
      return (
        <>
          <p role="alert">{isConfirmed ? texts.confirmedHere : text}</p>
          <p>{isConfirmed ? texts.mergeHere : texts.merge}</p>
          <Button size="lg" loading={isLoading} onClick={() => onConfirm(true)}>
            {isConfirmed ? texts.togetherHere : texts.together}
          </Button>
          {home}
        </>
      );
    case 'email_link_other':
    case 'email_link_account':
      return (
        <>
          <p role="alert">{text}</p>
          {home}
        </>
      );
    default:
      return (
        <>
          <p role="alert">{text}</p>
          <Button size="lg" loading={isLoading} onClick={() => onConfirm()}>
            {texts.confirm}
          </Button>
        </>
      );
  }
}
