import { useCallback, useEffect, useState } from 'react';
import { useSelector } from 'react-redux';
import { useNavigate } from 'react-router-dom';
import { selectIsSignedIn } from '../../../api/session';
import { useAppDispatch } from '../../../api/useAppDispatch';
import { paths } from '../../../domain/paths';
import { useLanguage } from '../../../i18n';
import { askToSignIn } from '../../../ui/signInPrompt';
import type { Draft } from './useDraft';

/**
 * Opens the new campaign's page for editing as soon as the server has everything. That may take a sign-in or a lost
 * connection; the request to open it holds until something else is typed.
 */
export function useOpenPage({ saver, status, discard }: Draft) {
  const dispatch = useAppDispatch();
  const language = useLanguage();
  const navigate = useNavigate();
  const isSignedIn = useSelector(selectIsSignedIn);
  const [isRequested, setRequested] = useState(false);

  useEffect(() => {
    const { draft } = saver;
    if (!isRequested || status.is !== 'saved' || !draft) return;
    discard();
    void navigate(paths.editCampaign(language, { id: draft.campaignId, slug: draft.slug }));
  }, [isRequested, status, saver, discard, language, navigate]);

  const openPage = async () => {
    setRequested(true);
    if (isSignedIn) await saver.flush();
    else dispatch(askToSignIn({ reason: 'create' }));
  };
  return {
    openPage,
    /** The page was requested, and the server does not have everything yet. */
    isOpening: isRequested && status.is === 'saving',
    /** Withdraws the request to open the page. */
    cancelOpening: useCallback(() => setRequested(false), []),
  };
}
