import { useEffect, useRef } from 'react';
import { useSelector } from 'react-redux';
import { useNavigate } from 'react-router-dom';
import { useLazyUserProfileQuery, type Profile } from '../../api/people';
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
  const [read] = useLazyUserProfileQuery();
  const hasSignedOut = useSelector(selectEnd) === 'signedOut';
  const id = profile?.user_id;
  const isHere = useRef(true);
  useEffect(() => {
    isHere.current = true;
    return () => {
      isHere.current = false;
    };
  }, []);
  useEffect(() => {
    if (!hasSignedOut || id === undefined) return;
    const leave = async () => {
      let { data, error } = await read({ userId: id, language });
      // As staff sign out everything is forgotten, this question too: it is asked again.
      if (!data && !error) ({ data, error } = await read({ userId: id, language }));
      if (!isHere.current) return; // They have gone on themselves meanwhile.
      const to = data ? paths.profile(language, id) : paths.home(language);
      await navigate(to, { state: { isAskedAlready: true } satisfies LeaveState });
    };
    void leave();
  }, [hasSignedOut, id, navigate, language, read]);
}
