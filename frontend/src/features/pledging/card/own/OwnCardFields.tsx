import { useEffect, useImperativeHandle, useRef, useState, type ChangeEvent, type Ref } from 'react';
import { useTranslation } from 'react-i18next';
import { readNow } from '../../../../api/extra';
import { useAppDispatch } from '../../../../api/useAppDispatch';
import { CheckField } from '../../../../ui/CheckField';
import { TextField } from '../../../../ui/fields';
import { LockIcon } from '../../../../ui/icons';
import { TextButton } from '../../../../ui/TextButton';
import type { OwnCardForm, Registered } from '../../flow/ports';
import { BrandMark, brandIn } from '../BrandMark';
import { brandOf, cardFaults, digitsOf, grouped, type CardFaults, type TypedCard } from './checkCard';
import classes from './OwnCardFields.module.css';
import { registerCard } from './register';

export interface OwnCardFieldsProps {
  /** Whether the card is to be offered again; undefined for guests, who have nothing to keep it with. */
  isRemembered: boolean | undefined;
  onRemember: (isRemembered: boolean) => void;
  ref: Ref<OwnCardForm>;
}

const none: TypedCard = { number: '', month: '', year: '', cvc: '' };

/**
 * Our own fields of a card, which the browser sends to the provider itself. What is typed is in this component alone, and
 * only until the provider has registered it.
 */
export function OwnCardFields({ isRemembered, onRemember, ref }: OwnCardFieldsProps) {
  const { t } = useTranslation();
  const dispatch = useAppDispatch();
  const [card, setCard] = useState(none);
  const [faults, setFaults] = useState<CardFaults>({});
  const [registered, setRegistered] = useState<Registered>();
  const [isAgain, setAgain] = useState(false);
  // A submission asks for them after the fields were typed and drawn, and changes them faster than they are drawn.
  const latest = useRef<{ card: TypedCard; registered?: Registered }>({ card: none });
  const root = useRef<HTMLDivElement>(null);

  const set = (next: TypedCard) => {
    latest.current.card = next;
    setCard(next);
  };
  const setKept = (next: Registered | undefined) => {
    latest.current.registered = next;
    setRegistered(next);
    set(none);
    setFaults({});
  };
  const focus = (name: keyof TypedCard) =>
    root.current?.querySelector<HTMLInputElement>(`input[name="card-${name}"]`)?.focus();
  const show = (found: CardFaults) => {
    setFaults(found);
    focus(found.number ? 'number' : found.date ? 'month' : 'cvc');
  };

  useImperativeHandle(ref, (): OwnCardForm => ({
    check: (content) => {
      const { registered: known, card: typed } = latest.current;
      if (known?.content === content) return 'complete';
      if (known) {
        // It was registered for another order, whose payer may be another one.
        setKept(undefined);
        setAgain(true);
        return 'incomplete';
      }
      const found = cardFaults(typed, dispatch(readNow()));
      if (Object.keys(found).length === 0) return 'complete';
      show(found);
      return 'incomplete';
    },
    register: (registration) => registerCard(registration, latest.current.card),
    registered: () => latest.current.registered,
    keep: setKept,
    clear: () => setKept(undefined),
    show,
    focus: () => focus('number'),
    isTyped: () => Object.values(latest.current.card).some((part) => part !== ''),
  }));

  useEffect(() => {
    if (isAgain) root.current?.querySelector('input')?.focus();
  }, [isAgain]);

  if (registered)
    return (
      <div className={classes.registered} ref={root}>
        <BrandMark brand={brandIn(registered.label)} />
        <span className={classes.label}>{registered.label}</span>
        <TextButton look="aside" onPress={() => setKept(undefined)}>
          {t('pledge.ownCard.other')}
        </TextButton>
      </div>
    );

  const change = (name: keyof TypedCard, value: string) => {
    setAgain(false);
    set({ ...latest.current.card, [name]: value });
    const field = name === 'month' || name === 'year' ? 'date' : name;
    if (faults[field]) setFaults({ ...faults, [field]: undefined });
  };
  /** Says what is wrong in a field as it is left; what is missing only when it is sent. */
  const leave = (field: keyof CardFaults, isTyped: boolean) => {
    const found = cardFaults(card, dispatch(readNow()));
    if (isTyped && found[field]) setFaults({ ...faults, [field]: found[field] });
  };
  const typeNumber = ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
    const { value, selectionStart } = currentTarget;
    // Grouped only at the end, because otherwise the caret would jump there.
    change('number', selectionStart === value.length ? grouped(value) : value);
  };
  return (
    <div className={classes.root} ref={root}>
      {isAgain && (
        <p role="status" className={classes.note}>
          {t('pledge.ownCard.again')}
        </p>
      )}
      <TextField
        label={t('pledge.ownCard.number')}
        name="card-number"
        inputMode="numeric"
        autoComplete="cc-number"
        // More than a number has: what is copied brings spaces and invisible marks.
        maxLength={40}
        value={card.number}
        onChange={typeNumber}
        onBlur={() => {
          set({ ...latest.current.card, number: grouped(card.number) });
          leave('number', digitsOf(card.number) !== '');
        }}
        error={faults.number && t('pledge.ownCard.fault.number')}
        rightSection={brandOf(card.number) && <BrandMark brand={brandOf(card.number)} />}
        rightSectionWidth={64}
      />
      <div className={classes.triple}>
        <TextField
          label={t('pledge.ownCard.month')}
          name="card-month"
          inputMode="numeric"
          autoComplete="cc-exp-month"
          placeholder={t('pledge.ownCard.monthLike')}
          maxLength={2}
          value={card.month}
          onChange={({ currentTarget }) => change('month', currentTarget.value)}
          onBlur={() => leave('date', card.month !== '' && card.year !== '')}
          aria-invalid={faults.date !== undefined}
          error={faults.date && t('pledge.ownCard.fault.date')}
        />
        <TextField
          label={t('pledge.ownCard.year')}
          name="card-year"
          inputMode="numeric"
          autoComplete="cc-exp-year"
          placeholder={t('pledge.ownCard.yearLike')}
          maxLength={4}
          value={card.year}
          onChange={({ currentTarget }) => change('year', currentTarget.value)}
          onBlur={() => leave('date', card.month !== '' && card.year !== '')}
          aria-invalid={faults.date !== undefined}
        />
        <TextField
          label={t('pledge.ownCard.cvc')}
          name="card-cvc"
          inputMode="numeric"
          autoComplete="cc-csc"
          placeholder="···"
          maxLength={4}
          value={card.cvc}
          onChange={({ currentTarget }) => change('cvc', currentTarget.value)}
          onBlur={() => leave('cvc', card.cvc !== '')}
          error={
            faults.cvc && t(`pledge.ownCard.fault.${brandOf(card.number) === 'amex' ? 'cvcFour' : 'cvc'}`)
          }
        />
      </div>
      {isRemembered !== undefined && (
        <CheckField label={t('pledge.ownCard.remember')} isChecked={isRemembered} onChange={onRemember} />
      )}
      <p className={classes.note}>
        <LockIcon size={16} />
        {t('pledge.ownCard.safe')}
      </p>
    </div>
  );
}
