import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Reward } from '../api/content';
import { isGone } from '../domain/stock';
import { useLanguage } from '../i18n';
import { formatMoney } from '../i18n/format';
import { AlertCircleIcon } from './icons';
import classes from './LevelChoice.module.css';
import { OptionRow } from './OptionRow';

export interface LevelChoiceProps {
  /** The name of the radio buttons. */
  name: string;
  /** For screen readers. */
  legend: string;
  levels: readonly Reward[];
  currency: string;
  /** A level's id, or one's own amount; undefined if nothing is chosen. */
  chosen: number | 'own' | undefined;
  /** Undefined: one's own amount. */
  onChoose: (level: Reward | undefined) => void;
  /** That a choice is missing. */
  error?: ReactNode;
  ownLabel: string;
  ownNote: string;
  /** The field for one's own amount, shown while that is chosen. */
  ownField: ReactNode;
}

/** The levels of monthly support with their amounts, and one's own amount. */
export function LevelChoice(props: LevelChoiceProps) {
  const { name, legend, levels, currency, chosen, onChoose, error, ownLabel, ownNote, ownField } = props;
  const { t } = useTranslation();
  const language = useLanguage();
  return (
    <fieldset className={classes.root} data-path={name}>
      <legend className="tk-visually-hidden">{legend}</legend>
      {error && (
        <p className={classes.fault}>
          <AlertCircleIcon size={16} />
          <span>{error}</span>
        </p>
      )}
      {levels.map((level) => (
        <OptionRow
          key={level.reward_id}
          name={name}
          value={String(level.reward_id)}
          isChecked={level.reward_id === chosen}
          isDisabled={isGone(level)}
          onChoose={() => onChoose(level)}
          label={<span className={classes.name}>{level.title}</span>}
          note={
            <span className={classes.price}>
              {formatMoney(language, level.amount, { cents: true, currency })}
            </span>
          }
          detail={isGone(level) ? t('reward.gone') : level.description}
          isDetailCut
        />
      ))}
      <OptionRow
        name={name}
        value="own"
        isChecked={chosen === 'own'}
        onChoose={() => onChoose(undefined)}
        label={<span className={classes.name}>{ownLabel}</span>}
        note={<span className={classes.note}>{ownNote}</span>}
      >
        {chosen === 'own' && <div className={classes.own}>{ownField}</div>}
      </OptionRow>
    </fieldset>
  );
}
