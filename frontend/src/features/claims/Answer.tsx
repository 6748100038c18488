import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Claim } from '../../api/claims';
import { parseCents } from '../../domain/amounts';
import { useLanguage } from '../../i18n';
import { formatDay, formatMoney, platformDay } from '../../i18n/format';
import { AmountField } from '../../ui/AmountField';
import { Button } from '../../ui/Button';
import { DayField } from '../../ui/DayField';
import { TextareaField, TextField } from '../../ui/fields';
import { OptionRow } from '../../ui/OptionRow';
import { useNow } from '../../ui/useNow';
import classes from '../../ui/claims/Claims.module.css';
import type { TeamWish } from './useTeamActs';

const acts = ['offer_resend', 'refund', 'offer_part', 'decline', 'contest'] as const;
type Choice = (typeof acts)[number];

const words = {
  offer_resend: ['resend', 'resendText'],
  refund: ['all', 'allText'],
  offer_part: ['part', 'partText'],
  decline: ['nothing', 'nothingText'],
  contest: ['contest', 'contestText'],
} as const;

const day = 86_400_000;

interface AnswerProps {
  claim: Claim;
  isActing: boolean;
  onAnswer: (wish: TeamWish) => Promise<boolean>;
}

/** What the creator may offer; nothing is chosen beforehand, and the button names the day or the sum. */
export function Answer({ claim, isActing, onAnswer }: AnswerProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const id = useId();
  const now = useNow();
  const [choice, setChoice] = useState<Choice>();
  const [by, setBy] = useState('');
  const [tracking, setTracking] = useState('');
  const [sum, setSum] = useState('');
  const [text, setText] = useState('');
  const money = (amount: number) => formatMoney(language, amount, { cents: true, currency: claim.currency });
  const cents = parseCents(sum);
  const left = Math.round(claim.left * 100);
  const isPart = cents !== undefined && cents > 0 && cents < left;
  const needsText = choice === 'decline' || choice === 'contest';
  const isReady =
    choice !== undefined &&
    (choice !== 'offer_resend' || by !== '') &&
    (choice !== 'offer_part' || isPart) &&
    (!needsText || text.trim() !== '');
  const label = (): string => {
    switch (choice) {
      case undefined:
        return t('claims.offer.choose');
      case 'offer_resend':
        return by
          ? t('claims.offer.doResend', { day: formatDay(language, by) })
          : t('claims.offer.doResendEmpty');
      case 'refund':
        return t('claims.offer.doAll', { amount: money(claim.left) });
      case 'offer_part':
        return isPart
          ? t('claims.offer.doPart', { amount: money(cents / 100) })
          : t('claims.offer.doPartEmpty');
      default:
        return t('claims.offer.doNothing');
    }
  };
  const send = () =>
    choice &&
    void onAnswer({
      act: choice,
      text: text.trim(),
      ...(choice === 'offer_resend' && { day: by, tracking: tracking.trim() }),
      ...(choice === 'offer_part' && isPart && { amount: cents / 100 }),
    });
  return (
    <section className={classes.offer}>
      <h2 id={id}>{t('claims.offer.title')}</h2>
      <div className={classes.form}>
        <div role="radiogroup" aria-labelledby={id} className={classes.options}>
          {acts
            .filter((one) => claim.may.includes(one))
            .map((one) => (
              <OptionRow
                key={one}
                name={`${id}-offer`}
                value={one}
                isChecked={choice === one}
                onChoose={() => setChoice(one)}
                label={t(`claims.offer.${words[one][0]}`)}
                detail={t(`claims.offer.${words[one][1]}`)}
                note={
                  one === 'refund'
                    ? money(claim.left)
                    : one === 'offer_part'
                      ? t('claims.offer.amount')
                      : undefined
                }
              >
                {choice === one && one === 'offer_resend' && (
                  <div className={classes.fields}>
                    <DayField
                      label={t('claims.offer.day')}
                      min={platformDay(now + day)}
                      max={platformDay(now + 90 * day)}
                      value={by}
                      onChange={({ currentTarget }) => setBy(currentTarget.value)}
                    />
                    <TextField
                      label={t('claims.offer.tracking')}
                      isOptional
                      maxLength={100}
                      value={tracking}
                      onChange={({ currentTarget }) => setTracking(currentTarget.value)}
                    />
                  </div>
                )}
                {choice === one && one === 'offer_part' && (
                  <div className={classes.fields}>
                    <AmountField
                      label={t('claims.offer.sum')}
                      value={sum}
                      error={
                        cents !== undefined && cents >= left
                          ? t('claims.offer.most', { amount: money((left - 1) / 100) })
                          : undefined
                      }
                      onChange={({ currentTarget }) => setSum(currentTarget.value)}
                    />
                  </div>
                )}
              </OptionRow>
            ))}
        </div>
        <TextareaField
          label={t(choice === 'decline' ? 'claims.offer.why' : 'claims.offer.message')}
          isOptional={!needsText}
          rows={3}
          maxLength={2000}
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
        <div className={classes.send}>
          <Button size="lg" disabled={!isReady} loading={isActing} onClick={send}>
            {label()}
          </Button>
          <p className={classes.small}>{t('claims.offer.note')}</p>
        </div>
      </div>
    </section>
  );
}
