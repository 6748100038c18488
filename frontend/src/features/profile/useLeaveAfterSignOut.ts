import { useEffect, useRef } from 'react';
import { useSelector, useStore } from 'react-redux';
import { useNavigate } from 'react-router-dom';
import { content } from '../../api/content';
import type { Profile } from '../../api/people';
import type { State } from '../../api/reducer';
import { selectIsSignedIn } from '../../api/session';
import { paths } from '../../domain/paths';
import { useLanguage } from '../../i18n';

/**
 * Who signs out on their own profile goes on to their public page, or home if they have none. A session that merely ends
 * leads nowhere: what is being typed stays.
 */
export function useLeaveAfterSignOut(profile: Profile | undefined): void {
  const store = useStore<State>();
  const navigate = useNavigate();
  const language = useLanguage();
  const isSignedIn = useSelector(selectIsSignedIn);
  const asked = useRef<number>(undefined);
  useEffect(() => {
    const now = timesAsked(store.getState());
    const before = asked.current;
    asked.current = isSignedIn ? now : undefined;
    if (isSignedIn || before === undefined || now === before || !profile) return;
    void navigate(hasPublicPage(profile) ? paths.profile(language, profile.user_id) : paths.home(language));
  }, [isSignedIn, store, profile, navigate, language]);
}

/** How many times somebody has pressed "sign out" since the page was loaded. */
const timesAsked = (state: State) =>
  Object.values(state[content.reducerPath].mutations).filter((one) => one?.endpointName === 'signOut').length;

function hasPublicPage({ settings, short_description, skills, experiments }: Profile): boolean {
  const isListed = settings.email_confirmed && (short_description !== '' || skills.length > 0);
  return isListed || experiments.length > 0;
}
