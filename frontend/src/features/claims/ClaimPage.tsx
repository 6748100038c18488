import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { Link, useParams } from 'react-router-dom';
import { useActOnClaimMutation, useClaimQuery, type ClaimPageAnswer } from '../../api/claims';
import { selectIsSignedIn } from '../../api/session';
import { useAppDispatch } from '../../api/useAppDispatch';
import { paths } from '../../domain/paths';
import { useLanguage } from '../../i18n';
import { AppMantineProvider } from '../../ui/AppMantineProvider';
import { Button } from '../../ui/Button';
import { Chip } from '../../ui/Chip';
import { EmptyState } from '../../ui/EmptyState';
import { askToSignIn } from '../../ui/signInPrompt';
import { usePageTitle } from '../../ui/usePageTitle';
import { Answer } from './Answer';
import { Words } from '../../ui/claims/ClaimCard';
import { ClaimedPledge } from './ClaimedPledge';
import classes from '../../ui/claims/Claims.module.css';
import { Clock } from '../../ui/claims/Clock';
import { Decision } from './Decision';
import { Thread } from '../../ui/claims/Thread';
import { useTeamActs, type TeamWish } from './useTeamActs';
import { tones, useClaimWords } from '../../ui/claims/words';
import { Unread } from '../../ui/Unread';

/** One claim for the campaign's team, who answers, and for staff, who decide. */
export function Component() {
  const { t } = useTranslation();
  const language = useLanguage();
  const dispatch = useAppDispatch();
  const claimId = useParams().claim ?? '';
  const isSignedIn = useSelector(selectIsSignedIn);
  const call = useClaimQuery({ claimId, language }, { skip: !isSignedIn });
  const { data } = call;
  usePageTitle(t('claims.title'));
  return (
    <AppMantineProvider>
      <article className={`tk-container ${classes.page}`}>
        {!(isSignedIn && data) && <h1 className="tk-form-title">{t('claims.title')}</h1>}
        {!isSignedIn ? (
          <EmptyState
            title={t('claims.signIn')}
            action={
              <Button variant="light" onClick={() => dispatch(askToSignIn())}>
                {t('nav.signIn')}
              </Button>
            }
          />
        ) : data ? (
          <Page answer={data} />
        ) : (
          <Unread of={call} where="Claims" lines={8} />
        )}
      </article>
    </AppMantineProvider>
  );
}

function Page({ answer }: { answer: ClaimPageAnswer }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const words = useClaimWords();
  const [actOnClaim] = useActOnClaimMutation();
  const [isWriting, setWriting] = useState(false);
  const { claim, pledge } = answer;
  const { act, isActing, failure } = useTeamActs(claim.claim_id, claim.version);
  const { state, due_at: dueAt, waits_from: from, may } = claim;
  const isStaff = claim.reader === 'staff';
  const take = async (wish: TeamWish) => {
    const isDone = await act(wish, (key) =>
      actOnClaim({
        claimId: claim.claim_id,
        language,
        claimAct: { ...wish, version: claim.version, key },
      }),
    );
    if (isDone) setWriting(false);
    return isDone;
  };
  const isOffered = state === 'resend_offered' || state === 'part_offered';
  const next = words.nextTeam(claim);
  return (
    <>
      <Link to={isStaff ? paths.admin(language, 'claims') : paths.claims(language)}>
        ← {t('claims.back')}
      </Link>
      <div className={classes.columns}>
        <div>
          <div className={classes.cardHead}>
            <h1 className="tk-form-title">
              {t(`claims.of.${claim.kind}`, { name: pledge.backer || t('claims.by.backer') })}
            </h1>
            <Chip tone={tones[state]}>{words.chip(state, false)}</Chip>
          </div>
          <p className={classes.small}>
            {pledge.campaign_title} · <span className={classes.whole}>{claim.reference}</span>
          </p>
          {dueAt && from && (state === 'open' || isOffered) && (
            <Clock from={from} dueAt={dueAt}>
              {t(isOffered ? 'claims.clock.theirs' : isStaff ? 'claims.clock.open' : 'claims.clock.yours', {
                day: words.due(claim),
              })}
            </Clock>
          )}
          {next && <p className={classes.next}>{next}</p>}
          <Thread claim={claim} reader={isStaff ? 'staff' : 'creator'} backer={pledge.backer} />
          {may.includes('message') &&
            (isWriting ? (
              <Words
                label={t('claims.acts.text')}
                isActing={isActing}
                onCancel={() => setWriting(false)}
                onSend={(text) => void take({ act: 'message', text })}
              />
            ) : (
              <div className={classes.more}>
                <Button variant="transparent" size="sm" onClick={() => setWriting(true)}>
                  {t('claims.acts.message')}
                </Button>
              </div>
            ))}
          {may.includes('decide') && (
            <Decision key={claim.version} claim={claim} isActing={isActing} onDecide={take} />
          )}
          {may.includes('refund') && (
            <Answer key={claim.version} claim={claim} isActing={isActing} onAnswer={take} />
          )}
          <div role="alert">{failure && <p className={classes.failure}>{failure}</p>}</div>
        </div>
        <ClaimedPledge pledge={pledge} isStaff={isStaff} />
      </div>
    </>
  );
}
