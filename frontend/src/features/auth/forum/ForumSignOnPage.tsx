import { useCallback, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { Link, useSearchParams } from 'react-router-dom';
import { isApiError, type ApiError } from '../../../api/apiError';
import { selectUser } from '../../../api/session';
import { useAppDispatch } from '../../../api/useAppDispatch';
import { useSignInToForumMutation } from '../../../api/verification';
import { paths } from '../../../domain/paths';
import { useLanguage } from '../../../i18n';
import { useErrorText } from '../../../i18n/errorText';
import { Button } from '../../../ui/Button';
import { ErrorState } from '../../../ui/ErrorState';
import { askToSignIn } from '../../../ui/signInPrompt';
import { usePageTitle } from '../../../ui/usePageTitle';
import { useSendLink } from '../../../ui/verify/useSendLink';
import classes from './ForumSignOnPage.module.css';
import { useTexts } from './texts';

/**
 * Where the forum sends people who log in there, with its signed request in the address. Who is signed in here is sent
 * back at once; others sign in first. The request is sent by itself once for each sign-in, never again after a failure,
 * and this page is replaced in the history, so that Back leads to where the person came from.
 */
export function Component() {
  const { t } = useTranslation();
  const texts = useTexts();
  const [address] = useSearchParams();
  const sso = address.get('sso') ?? '';
  const sig = address.get('sig') ?? '';
  const user = useSelector(selectUser);
  const [signInToForum, { error }] = useSignInToForumMutation();
  usePageTitle(t('auth.forumTitle'));

  const goOn = useCallback(async () => {
    const { data } = await signInToForum({ forumRequest: { sso, sig } });
    if (data) window.location.replace(`${data.return_url}?${data.sso_string}`);
  }, [signInToForum, sso, sig]);

  const hasLink = sso !== '' && sig !== '';
  const userId = user?.user_id;
  const sentFor = useRef<number>(undefined);
  useEffect(() => {
    if (hasLink && userId !== undefined && sentFor.current !== userId) void goOn();
    sentFor.current = userId;
  }, [hasLink, userId, goOn]);

  return (
    <article className={`tk-container ${classes.root}`}>
      <h1 className="tk-form-title">{t('auth.forumTitle')}</h1>
      <div className={classes.words}>
        {!hasLink ? (
          <NoLink />
        ) : userId === undefined ? (
          <SignInFirst />
        ) : isApiError(error) ? (
          <Failure error={error} onRetry={() => void goOn()} />
        ) : (
          <p role="status">{texts.going}</p>
        )}
      </div>
    </article>
  );
}

/** Opens the sign-in dialog; its buttons open it again once it was closed. */
function SignInFirst() {
  const texts = useTexts();
  const dispatch = useAppDispatch();
  const open = useCallback(
    (mode: 'signIn' | 'signUp') => dispatch(askToSignIn({ mode, reason: 'forum' })),
    [dispatch],
  );
  useEffect(() => {
    open('signIn');
  }, [open]);
  return (
    <>
      <p>{texts.ask}</p>
      <div className={classes.acts}>
        <Button size="lg" onClick={() => open('signIn')}>
          {texts.signIn}
        </Button>
        <Button size="lg" variant="outline" onClick={() => open('signUp')}>
          {texts.signUp}
        </Button>
      </div>
    </>
  );
}

interface FailureProps {
  error: ApiError;
  onRetry: () => void;
}

function Failure({ error, onRetry }: FailureProps) {
  const texts = useTexts();
  const text = useErrorText()(error, 'ForumSignOnPage');
  const { sendLink, isSending } = useSendLink();
  switch (error.status) {
    case 'address_unconfirmed':
      return (
        <>
          <p role="alert">{text}</p>
          <div className={classes.acts}>
            <Button size="lg" onClick={onRetry}>
              {texts.confirmed}
            </Button>
            <Button size="lg" variant="outline" loading={isSending} onClick={() => void sendLink()}>
              {texts.again}
            </Button>
          </div>
        </>
      );
    case 'forum_link_invalid':
    case 'forum_link_used':
    case 'invalid_fields':
    case 'no_forum':
      // The same request would be refused again: a new one comes from the forum.
      return (
        <>
          <p role="alert">{text}</p>
          <HomeLink />
        </>
      );
    default:
      return <ErrorState onRetry={onRetry}>{text}</ErrorState>;
  }
}

function NoLink() {
  const texts = useTexts();
  return (
    <>
      <p>{texts.noLink}</p>
      <HomeLink />
    </>
  );
}

function HomeLink() {
  const texts = useTexts();
  const language = useLanguage();
  return (
    <Button component={Link} variant="outline" to={paths.home(language)}>
      {texts.home}
    </Button>
  );
}
