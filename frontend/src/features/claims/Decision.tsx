import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Claim } from '../../api/claims';
import { parseCents } from '../../domain/amounts';
import { useLanguage } from '../../i18n';
import { formatMoney } from '../../i18n/format';
import { AmountField } from '../../ui/AmountField';
import { Button } from '../../ui/Button';
import { TextareaField } from '../../ui/fields';
import classes from '../../ui/claims/Claims.module.css';
import type { TeamWish } from './useTeamActs';

interface DecisionProps {
  claim: Claim;
  isActing: boolean;
  onDecide: (wish: TeamWish) => Promise<boolean>;
}

/** What staff decide: a sum, or none, with reasons that both sides read. */
export function Decision({ claim, isActing, onDecide }: DecisionProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const [sum, setSum] = useState('');
  const [text, setText] = useState('');
  const money = (amount: number) => formatMoney(language, amount, { cents: true, currency: claim.currency });
  const cents = parseCents(sum);
  const isReady = cents !== undefined && cents <= Math.round(claim.left * 100) && text.trim() !== '';
  return (
    <section className={classes.offer}>
      <h2>{t('claims.decide.title')}</h2>
      <div className={classes.form}>
        <AmountField
          label={t('claims.decide.sum')}
          help={t('claims.decide.help', { amount: money(claim.left) })}
          value={sum}
          onChange={({ currentTarget }) => setSum(currentTarget.value)}
        />
        <TextareaField
          label={t('claims.decide.why')}
          rows={4}
          maxLength={2000}
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
        <div className={classes.acts}>
          <Button
            size="lg"
            disabled={!isReady}
            loading={isActing}
            onClick={() => void onDecide({ act: 'decide', text: text.trim(), amount: (cents ?? 0) / 100 })}
          >
            {cents ? t('claims.decide.do', { amount: money(cents / 100) }) : t('claims.decide.doNothing')}
          </Button>
        </div>
      </div>
    </section>
  );
}
