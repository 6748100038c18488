import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { checkoutPayments, type KeptCard } from '../../../api/checkoutPayments';
import { readNow } from '../../../api/extra';
import { useAppDispatch } from '../../../api/useAppDispatch';
import { useLanguage } from '../../../i18n';
import { formatPastDay, platformDay } from '../../../i18n/format';
import { Button } from '../../../ui/Button';
import { OptionRow } from '../../../ui/OptionRow';
import { TextButton } from '../../../ui/TextButton';
import { ask } from '../flow/answer';
import { BrandMark, brandIn } from './BrandMark';
import classes from './KeptCards.module.css';

export interface KeptCardsProps {
  cards: readonly KeptCard[];
  chosen: string | undefined;
  onChoose: (cardId: string) => void;
  onRemoved: (cardId: string) => void;
}

/** The cards that their holder has kept, as ways to pay. */
export function KeptCards({ cards, chosen, onChoose, onRemoved }: KeptCardsProps) {
  const [asked, setAsked] = useState<string>();
  const { t } = useTranslation();
  const language = useLanguage();
  const dispatch = useAppDispatch();
  const [now] = useState(() => dispatch(readNow()));
  return cards.map((card) => {
    const { card_id: id, label } = card;
    if (asked === id)
      return (
        <RemoveCard
          key={id}
          card={card}
          onKeep={() => setAsked(undefined)}
          onRemoved={() => {
            setAsked(undefined);
            onRemoved(id);
          }}
        />
      );
    const used = card.used_at && t('pledge.kept.used', { day: formatPastDay(language, card.used_at, now) });
    return (
      <div key={id} className={classes.root}>
        <OptionRow
          name="method"
          value={`kept-${id}`}
          isChecked={chosen === id}
          onChoose={() => onChoose(id)}
          icon={<BrandMark brand={brandIn(label)} />}
          label={label}
          detail={[validity(card, now), used].filter(Boolean).join(', ') || undefined}
        />
        <div className={classes.remove}>
          <TextButton look="aside" onPress={() => setAsked(id)}>
            {t('pledge.kept.remove')} <span className="tk-visually-hidden">{label}</span>
          </TextButton>
        </div>
      </div>
    );
  });

  function validity({ exp_month: month, exp_year: year }: KeptCard, at: number): string | undefined {
    if (month === undefined || year === undefined) return undefined;
    const two = String(month).padStart(2, '0');
    return platformDay(at).startsWith(`${year}-${two}`)
      ? t('pledge.kept.endsNow')
      : t('pledge.kept.valid', { date: `${two}/${String(year).slice(-2)}` });
  }
}

interface RemoveCardProps {
  card: KeptCard;
  onKeep: () => void;
  onRemoved: () => void;
}

/** Asks in the card's place whether it is to be removed. */
function RemoveCard({ card: { card_id: cardId, label }, onKeep, onRemoved }: RemoveCardProps) {
  const { t } = useTranslation();
  const dispatch = useAppDispatch();
  const [isRunning, setRunning] = useState(false);
  const [hasFailed, setFailed] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.focus(), []);
  const remove = async () => {
    setRunning(true);
    setFailed(false);
    const { error, lost } = await ask(
      dispatch(checkoutPayments.endpoints.forgetKeptCard.initiate({ cardId }, { track: false })),
    );
    setRunning(false);
    // Nothing is lost by asking again: a repeat changes nothing.
    if (lost || (error && error.status !== 'not_found')) setFailed(true);
    else onRemoved();
  };
  const title = t('pledge.kept.removeTitle', { card: label });
  return (
    <div ref={box} tabIndex={-1} role="group" aria-label={title} className={classes.asked}>
      <BrandMark brand={brandIn(label)} />
      <div>
        <p className={classes.title}>{title}</p>
        <p className={classes.text}>{t('pledge.kept.removeText')}</p>
        {hasFailed && (
          <p role="alert" className={classes.failed}>
            {t('pledge.kept.removeFailed')}
          </p>
        )}
        <div className={classes.acts}>
          <Button variant="transparent" size="sm" onClick={onKeep}>
            {t('pledge.kept.keep')}
          </Button>
          <Button
            variant="outline"
            color="danger"
            size="sm"
            loading={isRunning}
            onClick={() => void remove()}
          >
            {t('pledge.kept.confirm')}
          </Button>
        </div>
      </div>
    </div>
  );
}
