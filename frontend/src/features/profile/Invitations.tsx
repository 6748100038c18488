import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router-dom';
import { isApiError } from '../../api/apiError';
import {
  useAcceptExperimentInvitationMutation,
  useDeclineExperimentInvitationMutation,
  useOwnInvitationsQuery,
  type OwnInvitation,
} from '../../api/people';
import { paths } from '../../domain/paths';
import { useLanguage } from '../../i18n';
import { useErrorText } from '../../i18n/errorText';
import { formatDay } from '../../i18n/format';
import { Button } from '../../ui/Button';
import classes from './Invitations.module.css';

/** The experiments that ask the reader to join or to own them; nothing without any. */
export function Invitations() {
  const { t } = useTranslation();
  const language = useLanguage();
  const { data } = useOwnInvitationsQuery({ language });
  if (!data?.invitations.length) return null;
  return (
    <section aria-labelledby="invitations" className={classes.root}>
      <h2 id="invitations" className={classes.title}>
        {t('people.me.invitations.title', { count: data.invitations.length })}
      </h2>
      <ul className={classes.list}>
        {data.invitations.map((one) => (
          <li key={one.experiment_id}>
            <Invitation invitation={one} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Invitation({ invitation }: { invitation: OwnInvitation }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const errorText = useErrorText();
  const navigate = useNavigate();
  const [accept, accepting] = useAcceptExperimentInvitationMutation();
  const [decline, declining] = useDeclineExperimentInvitationMutation();
  const [failure, setFailure] = useState('');
  const {
    experiment_id: experimentId,
    title,
    invited_by: by,
    as_owner: asOwner,
    expires_at: until,
  } = invitation;
  const names = { title, by, day: formatDay(language, until) };

  const fail = (error: unknown) => setFailure(isApiError(error) ? errorText(error, 'Invitations') : '');
  const join = async () => {
    const { data, error } = await accept({ experimentId });
    fail(error);
    if (data) void navigate(paths.editExperiment(language, { id: experimentId, slug: data.experiment.slug }));
  };
  const refuse = async () => {
    const { error } = await decline({ experimentId });
    fail(error);
  };
  return (
    <>
      <p>{t(asOwner ? 'people.me.invitations.owner' : 'people.me.invitations.member', names)}</p>
      <p className={classes.help}>{t('people.me.invitations.until', names)}</p>
      <div className={classes.acts}>
        <Button size="sm" loading={accepting.isLoading} onClick={() => void join()}>
          {t(asOwner ? 'people.me.invitations.own' : 'people.me.invitations.join')}
        </Button>
        <Button size="sm" variant="transparent" loading={declining.isLoading} onClick={() => void refuse()}>
          {t('people.me.invitations.decline')}
        </Button>
      </div>
      <div role="alert">{failure && <p className={classes.failure}>{failure}</p>}</div>
    </>
  );
}
