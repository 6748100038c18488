import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { useOwnProfileQuery, type Profile } from '../../api/people';
import { selectUser } from '../../api/session';
import { useAppDispatch } from '../../api/useAppDispatch';
import { useLanguage } from '../../i18n';
import { AppMantineProvider } from '../../ui/AppMantineProvider';
import { Button } from '../../ui/Button';
import { EmptyState } from '../../ui/EmptyState';
import { askToSignIn } from '../../ui/signInPrompt';
import { usePageTitle } from '../../ui/usePageTitle';
import { Invitations } from './Invitations';
import { MailRefused } from './MailRefused';
import { MailSettings } from './MailSettings';
import { OwnPage } from '../../ui/own/OwnPage';
import { Unread } from '../../ui/Unread';
import { ProfileForm } from './ProfileForm';
import { useLeaveAfterSignOut } from './useLeaveAfterSignOut';

/** One's own profile. What is typed stays while the session has ended, until somebody else signs in. */
export function Component() {
  const { t } = useTranslation();
  const language = useLanguage();
  const dispatch = useAppDispatch();
  const user = useSelector(selectUser);
  const call = useOwnProfileQuery({ language }, { skip: !user });
  const { currentData } = call;
  const [last, setLast] = useState<Profile>();
  if (currentData && currentData.profile !== last) setLast(currentData.profile);
  const profile = currentData?.profile ?? (user && last?.user_id !== user.user_id ? undefined : last);
  useLeaveAfterSignOut(last);
  usePageTitle(t('people.me.title'));

  return (
    <AppMantineProvider>
      <OwnPage title={t('people.me.title')} lead={t('people.me.lead')}>
        {profile ? (
          <>
            <MailRefused profile={profile} />
            {user && <Invitations />}
            <ProfileForm key={profile.user_id} profile={profile} />
            <MailSettings profile={profile} />
          </>
        ) : !user ? (
          <EmptyState
            title={t('people.me.signIn')}
            action={
              <Button variant="light" onClick={() => dispatch(askToSignIn())}>
                {t('nav.signIn')}
              </Button>
            }
          />
        ) : (
          <Unread of={call} where="MyProfilePage" lines={10} />
        )}
      </OwnPage>
    </AppMantineProvider>
  );
}
