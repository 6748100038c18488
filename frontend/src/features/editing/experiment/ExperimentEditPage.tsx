import '../sharedParts';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { Navigate, useParams } from 'react-router-dom';
import { isApiError } from '../../../api/apiError';
import { useExperimentAdminQuery, type ExperimentAdminAnswer } from '../../../api/experiments';
import { selectEnd, selectUser } from '../../../api/session';
import { useAppDispatch } from '../../../api/useAppDispatch';
import { paths } from '../../../domain/paths';
import { useLanguage } from '../../../i18n';
import { Button } from '../../../ui/Button';
import { EmptyState } from '../../../ui/EmptyState';
import { useNotify } from '../../../ui/notify';
import { idParam, keepFocus } from '../../../ui/page';
import { askToSignIn } from '../../../ui/signInPrompt';
import { usePageTitle } from '../../../ui/usePageTitle';
import { useIsStillSaving } from '../../../ui/saving/useAutosave';
import { RichText } from '../richText/RichText';
import { EmptyExperiment } from '../../../ui/experiments/EmptyExperiment';
import { Unread } from '../../../ui/Unread';
import { ExperimentEditor } from './ExperimentEditor';

export function load() {
  void RichText.preload();
}

/** An experiment's page while it is written. */
export function Component() {
  const experimentId = idParam(useParams().experimentId);
  return <Begun key={experimentId} experimentId={experimentId} />;
}

/**
 * Reads what editing needs, once: what is typed outlives an ended session, whose answers are dropped. It goes when its
 * person signs out.
 */
function Begun({ experimentId }: { experimentId: number }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const dispatch = useAppDispatch();
  const user = useSelector(selectUser);
  const hasSignedOut = useSelector(selectEnd) === 'signedOut';
  const [first, setFirst] = useState<{ answer: ExperimentAdminAnswer; userId: number }>();
  if (first && hasSignedOut) setFirst(undefined);
  const isLeaving = useIsStillSaving(user?.user_id, `experiment-${experimentId}`);
  const call = useExperimentAdminQuery(
    { experimentId, language, here: '' },
    { skip: !user || isLeaving || Boolean(first) },
  );
  const { currentData, error } = call;
  usePageTitle(t('experimentEdit.pageTitle'));
  if (currentData && user && !first) setFirst({ answer: currentData, userId: user.user_id });
  if (first)
    return (
      <ExperimentEditor
        first={first.answer.experiment}
        writers={first.answer.writers}
        userId={first.userId}
      />
    );
  if (user && isApiError(error) && error.http === 404) return <EmptyExperiment />;
  if (user && isApiError(error) && error.http === 403)
    return <Refused to={paths.experiment(language, { id: experimentId, slug: 'x' })} />;
  return (
    <div className="tk-container tk-section">
      <h1 className="tk-visually-hidden">{t('experimentEdit.pageTitle')}</h1>
      {!user && (
        <EmptyState
          title={t('mode.signInFirst')}
          action={
            <Button variant="light" onClick={() => dispatch(askToSignIn())}>
              {t('nav.signIn')}
            </Button>
          }
        />
      )}
      {user && <Unread of={call} where="ExperimentEditPage" lines={10} />}
    </div>
  );
}

function Refused({ to }: { to: string }) {
  const { t } = useTranslation();
  const notify = useNotify();
  useEffect(() => {
    notify({
      tone: 'info',
      title: t('experimentEdit.refused'),
      text: t('experimentEdit.refusedText'),
      topic: 'experiment-edit',
    });
  }, [notify, t]);
  return <Navigate to={to} replace state={keepFocus} />;
}
