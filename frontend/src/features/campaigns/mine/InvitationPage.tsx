import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { Link, useNavigate } from 'react-router-dom';
import { isApiError, isTransient } from '../../../api/apiError';
import { useAcceptCampaignInvitationMutation, useCampaignInvitationQuery } from '../../../api/editing';
import { selectIsSignedIn } from '../../../api/session';
import { useAppDispatch } from '../../../api/useAppDispatch';
import { paths } from '../../../domain/paths';
import { useLanguage } from '../../../i18n';
import { useErrorText } from '../../../i18n/errorText';
import { formatDate } from '../../../i18n/format';
import { Button } from '../../../ui/Button';
import { useLinkToken } from '../../../ui/linkToken';
import { askToSignIn } from '../../../ui/signInPrompt';
import { Unread } from '../../../ui/Unread';
import { usePageTitle } from '../../../ui/usePageTitle';
import classes from './InvitationPage.module.css';

/**
 * The target of the link in a mailed invitation to a campaign's team. Opening the page does not accept the invitation,
 * pressing the button does, because mail servers open links to scan them.
 */
export function Component() {
  const { t } = useTranslation();
  const token = useLinkToken();
  const call = useCampaignInvitationQuery({ token }, { skip: token === '' });
  const { data, error } = call;
  const [isExpired, setExpired] = useState(false);
  const title = t(data?.invitation.as_creator ? 'invitation.creator.title' : 'invitation.title');
  usePageTitle(title);
  // A malformed token, such as one that was cut off, is shown as an expired one.
  const isRefused = isApiError(error) && !isTransient(error);

  return (
    <article className={`tk-container ${classes.root}`}>
      <h1 className="tk-form-title">{title}</h1>
      {token === '' ? (
        <NoInvitation text={t('invitation.noLink')} />
      ) : isRefused || isExpired ? (
        <NoInvitation title={t('invitation.over')} text={t('invitation.overText')} />
      ) : data ? (
        <Invitation invitation={data.invitation} token={token} onExpired={() => setExpired(true)} />
      ) : (
        <Unread of={call} where="InvitationPage" lines={5} />
      )}
    </article>
  );
}

interface InvitationProps {
  invitation: {
    campaign_id: number;
    slug: string;
    title: string;
    invited_by: string;
    email: string;
    expires_at: string;
    as_creator: boolean;
  };
  token: string;
  /** Called if the invitation has been used or withdrawn meanwhile. */
  onExpired: () => void;
}

function Invitation({ invitation, token, onExpired }: InvitationProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const errorText = useErrorText();
  const navigate = useNavigate();
  const dispatch = useAppDispatch();
  const isSignedIn = useSelector(selectIsSignedIn);
  const [accept, { isLoading }] = useAcceptCampaignInvitationMutation();
  const [failure, setFailure] = useState('');
  const { as_creator: asCreator } = invitation;

  const join = async () => {
    setFailure('');
    const { data, error } = await accept({ token });
    if (data) {
      const { campaign_id: id, slug } = data.campaign;
      void navigate(paths.editCampaign(language, { id, slug }));
    } else if (isApiError(error)) {
      if (error.status === 'invitation_expired') onExpired();
      else setFailure(errorText(error, 'InvitationPage'));
    }
  };

  return (
    <div className={classes.words}>
      <p className={classes.lead}>
        {t(asCreator ? 'invitation.creator.text' : 'invitation.text', { by: invitation.invited_by })}
      </p>
      <dl className={classes.facts}>
        <div>
          <dt>{t('invitation.campaign')}</dt>
          <dd className={classes.name}>{invitation.title}</dd>
        </div>
        <div>
          <dt>{t('invitation.sentTo')}</dt>
          <dd>{invitation.email}</dd>
        </div>
        <div>
          <dt>{t('invitation.validUntil')}</dt>
          <dd>{formatDate(language, invitation.expires_at)}</dd>
        </div>
      </dl>
      <p>{t(asCreator ? 'invitation.creator.means' : 'invitation.means')}</p>
      <div className={classes.acts}>
        {isSignedIn ? (
          <Button size="lg" loading={isLoading} onClick={() => void join()}>
            {t(asCreator ? 'invitation.creator.join' : 'invitation.join')}
          </Button>
        ) : (
          <>
            <Button size="lg" onClick={() => dispatch(askToSignIn({ reason: 'join' }))}>
              {t(asCreator ? 'invitation.creator.signIn' : 'invitation.signIn')}
            </Button>
            {!asCreator && (
              <Button
                size="lg"
                variant="outline"
                onClick={() => dispatch(askToSignIn({ reason: 'join', mode: 'signUp' }))}
              >
                {t('invitation.signUp')}
              </Button>
            )}
          </>
        )}
      </div>
      <div role="alert">{failure && <p className={classes.failure}>{failure}</p>}</div>
    </div>
  );
}

function NoInvitation({ title, text }: { title?: string; text: string }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const isSignedIn = useSelector(selectIsSignedIn);
  return (
    <div className={classes.words} role="status">
      {title && <p className={classes.name}>{title}</p>}
      <p>{text}</p>
      <Button
        component={Link}
        variant="outline"
        to={isSignedIn ? paths.myCampaigns(language) : paths.home(language)}
      >
        {isSignedIn ? t('invitation.mine') : t('invitation.home')}
      </Button>
    </div>
  );
}
