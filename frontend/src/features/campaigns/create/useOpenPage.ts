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
 * Opens the new campaign's page for editing as soon as the server has everything. In between there may be a sign-in or a
 * lost connection: the wish lasts until something else is typed.
 */
export function useOpenPage({ saver, status, forget }: Draft) {
  const dispatch = useAppDispatch();
  const language = useLanguage();
  const navigate = useNavigate();
  const isSignedIn = useSelector(selectIsSignedIn);
  const [isWanted, setWanted] = useState(false);

  useEffect(() => {
    const { row } = saver;
    if (!isWanted || status.is !== 'saved' || !row) return;
    forget();
    void navigate(paths.editCampaign(language, { id: row.campaignId, slug: row.slug }));
  }, [isWanted, status, saver, forget, language, navigate]);

  const openPage = async () => {
    setWanted(true);
    if (isSignedIn) await saver.flush();
    else dispatch(askToSignIn({ reason: 'create' }));
  };
  return {
    openPage,
    /** The page is wanted and the server does not have everything yet. */
    isOpening: isWanted && status.is === 'saving',
    stay: useCallback(() => setWanted(false), []),
  };
}
