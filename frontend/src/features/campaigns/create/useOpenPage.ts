import { useCallback, useEffect, useRef, useState } from 'react';
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
export function useOpenPage({ campaign, status, flush, discard }: Draft) {
  const dispatch = useAppDispatch();
  const language = useLanguage();
  const navigate = useNavigate();
  const isSignedIn = useSelector(selectIsSignedIn);
  const [isRequested, setRequested] = useState(false);

  const isOpened = useRef(false);

  useEffect(() => {
    const { draft } = campaign;
    if (!isRequested || status.is !== 'saved' || !draft) return;
    isOpened.current = true;
    void navigate(paths.editCampaign(language, { id: draft.campaignId, slug: draft.slug }));
  }, [isRequested, status, campaign, language, navigate]);

  // Only once this page has gone: whatever holds the navigation up, the form goes on keeping what is typed into it.
  useEffect(
    () => () => {
      if (isOpened.current) discard();
    },
    [discard],
  );

  const openPage = async () => {
    setRequested(true);
    if (isSignedIn) await flush();
    else dispatch(askToSignIn({ reason: 'create' }));
  };
  return {
    openPage,
    /** The page was requested, and the server does not have everything yet. */
    isOpening: isRequested && status.is === 'saving',
    /** Withdraws the request to open the page. */
    cancelOpening: useCallback(() => {
      isOpened.current = false;
      setRequested(false);
    }, []),
  };
}
