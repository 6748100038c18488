import { useEffect } from 'react';
import { useSelector } from 'react-redux';
import { useNavigate } from 'react-router-dom';
import type { Profile } from '../../api/people';
import { selectEnd } from '../../api/session';
import { paths } from '../../domain/paths';
import { useLanguage } from '../../i18n';
import type { LeaveState } from '../../ui/UnsavedGuard';

/**
 * Who signs out on their own profile goes on to their public page, or home if they have none. A session that merely ends
 * leads nowhere: what is being typed stays.
 */
export function useLeaveAfterSignOut(profile: Profile | undefined): void {
  const navigate = useNavigate();
  const language = useLanguage();
  const hasSignedOut = useSelector(selectEnd) === 'signedOut';
  useEffect(() => {
    if (!hasSignedOut || !profile) return;
    const to = hasPublicPage(profile) ? paths.profile(language, profile.user_id) : paths.home(language);
    void navigate(to, { state: { isAskedAlready: true } satisfies LeaveState });
  }, [hasSignedOut, profile, navigate, language]);
}

function hasPublicPage({ settings, short_description, skills, experiments }: Profile): boolean {
  const isListed = settings.email_confirmed && (short_description !== '' || skills.length > 0);
  return isListed || experiments.length > 0;
}
