import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Claim } from '../../api/claims';
import { useLanguage } from '../../i18n';
import { formatDateTime } from '../../i18n/format';
import { Button } from '../Button';
import { Chip } from '../Chip';
import { TextareaField } from '../fields';
import type { Wish } from './backing';
import classes from './Claims.module.css';
import { Clock } from './Clock';
import { Thread } from './Thread';
import { useActing } from './useActing';
import { tones, useClaimWords } from './words';

interface ClaimCardProps {
  claim: Claim;
  act: (wish: Wish, key: string) => Promise<unknown>;
}

type Open = 'message' | 'object' | 'withdraw' | undefined;

/** A claim as its backer sees it: whom it waits for and until when, what was said, and what can be done now. */
export function ClaimCard({ claim, act }: ClaimCardProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const words = useClaimWords();
  const acting = useActing(claim.claim_id, claim.version);
  const id = useId();
  const [open, setOpen] = useState<Open>();
  const may = (name: string) => claim.may.includes(name);
  const take = async (wish: Omit<Wish, 'version'>) => {
    if (await acting.act(wish, (key) => act({ ...wish, version: claim.version }, key))) setOpen(undefined);
  };
  const { state, due_at: dueAt, waits_from: from } = claim;
  const hasClock =
    dueAt && from && (state === 'open' || state === 'resend_offered' || state === 'part_offered');
  const next = words.next(claim);
  return (
    <section className={classes.card} aria-labelledby={id}>
      <div className={classes.cardHead}>
        <h4 id={id} className={classes.cardTitle}>
          {words.headline(claim)}
        </h4>
        <Chip tone={tones[state]}>{words.chip(state, true)}</Chip>
      </div>
      <p className={classes.small}>
        {t('claims.number', {
          reference: claim.reference,
          at: formatDateTime(language, claim.made_at),
        })}
      </p>
      {hasClock && (
        <Clock from={from} dueAt={dueAt}>
          {t(state === 'open' ? 'claims.clock.open' : 'claims.clock.offered', { day: words.due(claim) })}
        </Clock>
      )}
      {next && <p className={classes.next}>{next}</p>}
      <Thread claim={claim} reader="backer" />
      {may('accept') && (
        <div className={classes.acts}>
          <Button loading={acting.isActing} onClick={() => void take({ act: 'accept' })}>
            {state === 'part_offered'
              ? t('claims.acts.acceptPart', { amount: words.money(claim, claim.offered ?? 0) })
              : t('claims.acts.acceptResend', { day: words.day(claim) })}
          </Button>
          <Button variant="outline" disabled={acting.isActing} onClick={() => void take({ act: 'refuse' })}>
            {t('claims.acts.refuse')}
          </Button>
        </div>
      )}
      <div role="alert">{acting.failure && <p className={classes.failure}>{acting.failure}</p>}</div>
      {open === 'message' || open === 'object' ? (
        <Words
          label={t(open === 'object' ? 'claims.acts.why' : 'claims.acts.text')}
          isActing={acting.isActing}
          onCancel={() => setOpen(undefined)}
          onSend={(text) => void take({ act: open, text })}
        />
      ) : open === 'withdraw' ? (
        <div className={classes.acts}>
          <span>{t('claims.acts.sure')}</span>
          <Button variant="transparent" size="sm" onClick={() => setOpen(undefined)}>
            {t('claims.acts.keep')}
          </Button>
          <Button
            variant="outline"
            color="danger"
            size="sm"
            loading={acting.isActing}
            onClick={() => void take({ act: 'withdraw' })}
          >
            {t('claims.acts.withdraw')}
          </Button>
        </div>
      ) : (
        <div className={classes.more}>
          {may('message') && (
            <Button variant="transparent" size="sm" onClick={() => setOpen('message')}>
              {t('claims.acts.message')}
            </Button>
          )}
          {may('object') && (
            <Button variant="transparent" size="sm" onClick={() => setOpen('object')}>
              {t('claims.acts.object')}
            </Button>
          )}
          {may('received') && (
            <Button
              variant="transparent"
              size="sm"
              disabled={acting.isActing}
              onClick={() => void take({ act: 'received' })}
            >
              {t('claims.acts.received')}
            </Button>
          )}
          {may('withdraw') && (
            <Button variant="transparent" size="sm" onClick={() => setOpen('withdraw')}>
              {t('claims.acts.withdraw')}
            </Button>
          )}
        </div>
      )}
    </section>
  );
}

interface WordsProps {
  label: string;
  isActing: boolean;
  onCancel: () => void;
  onSend: (text: string) => void;
}

/** A message, with the button that sends it. */
export function Words({ label, isActing, onCancel, onSend }: WordsProps) {
  const { t } = useTranslation();
  const [text, setText] = useState('');
  return (
    <div className={classes.form}>
      <TextareaField
        label={label}
        rows={3}
        maxLength={2000}
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
        data-autofocus
      />
      <div className={classes.acts}>
        <Button disabled={text.trim() === ''} loading={isActing} onClick={() => onSend(text)}>
          {t('claims.acts.send')}
        </Button>
        <Button variant="transparent" onClick={onCancel}>
          {t('claims.acts.cancel')}
        </Button>
      </div>
    </div>
  );
}
