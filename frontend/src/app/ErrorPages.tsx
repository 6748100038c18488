import { Button } from '../ui/Button';
import { useTranslation } from 'react-i18next';
import { useEffect, useRef } from 'react';
import { useSelector } from 'react-redux';
import { isRouteErrorResponse, Link, useLocation, useNavigate, useRouteError } from 'react-router-dom';
import { isApiError } from '../api/apiError';
import { selectIsSignedIn, selectUser } from '../api/session';
import { useAppDispatch } from '../api/useAppDispatch';
import type { Language } from '../domain/languages';
import { paths } from '../domain/paths';
import { useLanguage } from '../i18n';
import { Cuts } from '../ui/Cuts';
import { Picture } from '../ui/Picture';
import { askToSignIn } from '../ui/signInPrompt';
import { TextButton } from '../ui/TextButton';
import { usePageTitle } from '../ui/usePageTitle';
import classes from './ErrorPages.module.css';

/** No route matches, or a campaign or post does not exist. */
export function NotFoundPage() {
  return <ErrorPage kind="notFound" status="404" />;
}

/** Shows what a route threw: the not-found page for a 404, else an error page with a retry button. */
export function RouteErrorPage() {
  const error = useRouteError();
  const status = statusOf(error);
  useReloadOnSignIn();
  if (!useTranslation().i18n.exists('errorPage.failedTitle')) return <UntextedPage status={status} />;
  return <ErrorPage kind={status === '404' ? 'notFound' : 'failed'} status={status} />;
}

/**
 * Loads the address again when somebody signs in: a draft, for example, is a 404 for everybody but its team. By a
 * navigation, since the router keeps showing an error after a revalidation of which React has not drawn the beginning.
 */
function useReloadOnSignIn() {
  const userId = useSelector(selectUser)?.user_id;
  const location = useLocation();
  const navigate = useNavigate();
  const loadedFor = useRef(userId);
  useEffect(() => {
    if (loadedFor.current === userId) return;
    loadedFor.current = userId;
    void navigate(location, { replace: true, state: location.state as unknown });
  }, [userId, location, navigate]);
}

function statusOf(error: unknown): string {
  // A loader's response comes as the former, a component's as it was thrown.
  if (isRouteErrorResponse(error) || error instanceof Response) return String(error.status);
  if (isApiError(error)) return error.http ? String(error.http) : error.status;
  return '500';
}

/** An illustration that the server draws: a dark forest. */
const forestScene = 'scene-birch-iltayo-eksyksissa.svg';

/** What is said when the texts could not be loaded either. */
const untexted: Readonly<Record<Language, readonly [title: string, text: string, retry: string]>> = {
  fi: ['Sivu ei auennut', 'Mitään ei hävinnyt. Kokeile hetken päästä uudelleen.', 'Yritä uudelleen'],
  en: ['The page did not open', 'Nothing was lost. Try again in a moment.', 'Try again'],
  sv: ['Sidan öppnades inte', 'Inget gick förlorat. Försök igen om en stund.', 'Försök igen'],
};

interface ErrorPageProps {
  kind: 'notFound' | 'failed';
  status: string;
}

/** The error page of an app that has no texts. */
function UntextedPage({ status }: Pick<ErrorPageProps, 'status'>) {
  const [title, text, retry] = untexted[useLanguage()];
  useEffect(() => {
    document.title = `${title} – Talkoot`;
  }, [title]);
  return (
    <div className={`tk-container ${classes.root}`}>
      <div className={classes.words}>
        <h1 className="tk-form-title">{title}</h1>
        <p className="tk-lead">{text}</p>
        <p className={classes.status}>{status}</p>
        <Button size="lg" onClick={() => window.location.reload()}>
          {retry}
        </Button>
      </div>
    </div>
  );
}

function ErrorPage({ kind, status }: ErrorPageProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const dispatch = useAppDispatch();
  const isSignedIn = useSelector(selectIsSignedIn);
  usePageTitle(t(`errorPage.${kind}Title`));
  return (
    <div className={`tk-container ${classes.root}`}>
      <div className={classes.words}>
        <Cuts kind="empty" />
        <h1 className="tk-form-title">{t(`errorPage.${kind}Title`)}</h1>
        <p className="tk-lead">{t(`errorPage.${kind}Text`)}</p>
        <p className={classes.status}>{t('errorPage.status', { status })}</p>
        <div className={classes.ways}>
          <Button component={Link} to={paths.home(language)} size="lg" reloadDocument={kind === 'failed'}>
            {t('errorPage.home')}
          </Button>
          {kind === 'failed' ? (
            <Button variant="outline" size="lg" onClick={() => window.location.reload()}>
              {t('action.retry')}
            </Button>
          ) : (
            <Button component={Link} to={paths.campaigns(language)} variant="outline" size="lg">
              {t('home.browse')}
            </Button>
          )}
        </div>
        {kind === 'notFound' && !isSignedIn && (
          <p className={classes.draft}>
            {t('errorPage.draft')}{' '}
            <TextButton look="inline" onPress={() => dispatch(askToSignIn())}>
              {t('nav.signIn')}
            </TextButton>
          </p>
        )}
      </div>
      {kind === 'notFound' && (
        <Picture
          name={forestScene}
          alt=""
          ratio={16 / 10}
          widths={[480, 960]}
          sizes="(max-width: 56.24em) 100vw, 36rem"
          isFirst
        />
      )}
    </div>
  );
}
