import { useEffect, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Navigate } from 'react-router-dom';
import { useAppDispatch } from '../../api/useAppDispatch';
import type { CampaignMode } from '../../domain/access';
import { paths } from '../../domain/paths';
import { useLanguage } from '../../i18n';
import { useErrorText } from '../../i18n/errorText';
import { Button } from '../Button';
import { EmptyState } from '../EmptyState';
import { ErrorState } from '../ErrorState';
import { useNotify } from '../notify';
import { keepFocus } from '../page';
import { askToSignIn } from '../signInPrompt';
import { LinesSkeleton } from '../Skeletons';
import { useScrollToHash } from './useScrollToHash';
import { useMode, type Entered } from './useMode';

export interface ModePageProps {
  campaignId: number;
  mode: Exclude<CampaignMode, 'view'>;
  /** The heading for screen readers until the content is shown. */
  title: string;
  children: (entered: Entered) => ReactNode;
}

/** Renders a mode of a campaign's page for its editors. Others are asked to sign in, or redirected to view mode. */
export function ModePage({ campaignId, mode, title, children }: ModePageProps) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const dispatch = useAppDispatch();
  const language = useLanguage();
  const state = useMode(campaignId, mode);
  useScrollToHash();
  if (state.is === 'entered') return children(state);
  if (state.is === 'refused')
    return <Refused mode={mode} to={paths.campaign(language, { ...state.campaign, id: campaignId })} />;
  return (
    <div className="tk-container tk-section">
      <h1 className="tk-visually-hidden">{title}</h1>
      {state.is === 'loading' && <LinesSkeleton lines={10} />}
      {state.is === 'failed' && (
        <ErrorState onRetry={state.retry}>{state.error && errorText(state.error, 'ModePage')}</ErrorState>
      )}
      {state.is === 'signedOut' && (
        <EmptyState
          title={t('mode.signInFirst')}
          action={
            <Button variant="light" onClick={() => dispatch(askToSignIn())}>
              {t('nav.signIn')}
            </Button>
          }
        />
      )}
    </div>
  );
}

function Refused({ mode, to }: { mode: CampaignMode; to: string }) {
  const { t } = useTranslation();
  const notify = useNotify();
  useEffect(() => {
    notify({ tone: 'info', title: t('mode.refused'), text: t('mode.refusedText'), topic: `mode-${mode}` });
  }, [notify, t, mode]);
  return <Navigate to={to} replace state={keepFocus} />;
}
