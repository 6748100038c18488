import { useState, type ReactNode, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { CheckField } from '../../ui/CheckField';
import { OptionRow } from '../../ui/OptionRow';
import { PlusIcon } from '../../ui/icons';
import { LinesSkeleton } from '../../ui/Skeletons';
import { TextButton } from '../../ui/TextButton';
import { BankFields, type BankFieldsProps } from './bank/BankFields';
import { KeptCards } from './card/KeptCards';
import { CardFields } from './card/lazyCardFields';
import { OwnCardFields } from './card/own/OwnCardFields';
import classes from './fields.module.css';
import type { CardForm, CardFormStatus, OwnCardForm } from './flow/ports';
import type { PledgeForm } from './form/values';
import { methods, type Method } from './methods';
import { MethodGone, MethodsFailed, NoMethods, OnHold, type PaidTo } from './MethodNotes';
import { Section } from './Section';
import type { Gone } from './useMethodChoice';
import { offeredOf, type Offered } from './useOffered';

export interface PaymentSectionProps {
  campaign: PaidTo;
  form: PledgeForm;
  offered: Offered;
  /** What was chosen and is not offered any more. */
  gone: Gone | undefined;
  card: RefObject<CardForm | null>;
  ownCard: RefObject<OwnCardForm | null>;
  bank: Omit<BankFieldsProps, 'form' | 'isSignedIn'>;
  cents: number;
  currency: string;
  isSignedIn: boolean;
  /** Its holder has removed a kept card. */
  onCardRemoved: (cardId: string) => void;
  onCardStatus: (status: CardFormStatus) => void;
  /** What is kept stands alone, until something else is asked for. */
  isFolded?: boolean;
  /** Why the card was refused, if its fields can be corrected. */
  children?: ReactNode;
}

/** The order of the ways that are not a kept card is the server's. */
type Listed = Exclude<Method, 'kept'>;

/** The payment method. A card form stays mounted when another method is chosen, so that nothing typed is lost. */
export function PaymentSection(props: PaymentSectionProps) {
  const { campaign, form, offered, gone } = props;
  const { t } = useTranslation();
  return (
    <Section title={t('pledge.payment')}>
      {gone && <MethodGone gone={gone} />}
      {offered.state === 'asking' && (
        <div role="status" aria-label={t('pledge.methods.asking')}>
          <LinesSkeleton lines={3} />
        </div>
      )}
      {offered.state === 'failed' && <MethodsFailed onRetry={offered.ask} />}
      {offered.state === 'known' &&
        (offered.methods.length > 0 ? (
          <Rows {...props} />
        ) : offered.reason === 'on_hold' ? (
          <OnHold />
        ) : (
          <NoMethods campaign={campaign} email={form.values.email} onRetry={offered.ask} />
        ))}
      {form.errorOf('method') !== undefined && offered.methods.length > 0 && (
        <p className={classes.fault}>{t('pledge.chooseMethodFault')}</p>
      )}
    </Section>
  );
}

function Rows({
  form,
  offered,
  card,
  ownCard,
  bank,
  cents,
  currency,
  isSignedIn,
  onCardRemoved,
  onCardStatus,
  isFolded = false,
  children,
}: PaymentSectionProps) {
  const { t } = useTranslation();
  const { method } = form.values;
  const [isUnfolded, setUnfolded] = useState(!isFolded);
  const isShort = !isUnfolded && method === 'kept' && offered.cards.length > 0;
  // Provider A's form is put into a page only where it is seen, or it may never say that it is ready.
  const [wasCard, setWasCard] = useState(method === 'card');
  if (method === 'card' && !wasCard) setWasCard(true);
  const choose = (next: Method) => {
    form.setError('method', null);
    form.setValue('method', next);
    if (next === 'bank') fillInOwner(form);
  };
  const cardFields = {
    stripe: wasCard && (
      <>
        <CardFields
          ref={card}
          cents={cents}
          currency={currency}
          isKept={isSignedIn && form.values.remember_card}
          onStatus={onCardStatus}
        />
        {isSignedIn && (
          <CheckField
            label={t('pledge.ownCard.remember')}
            isChecked={form.values.remember_card}
            onChange={(isChecked) => form.setValue('remember_card', isChecked)}
          />
        )}
      </>
    ),
    mangopay: (
      <OwnCardFields
        ref={ownCard}
        isRemembered={isSignedIn ? form.values.remember_card : undefined}
        onRemember={(isRemembered) => form.setValue('remember_card', isRemembered)}
      />
    ),
  };
  const fields: Readonly<Record<Listed, ReactNode>> = {
    card: (
      <div hidden={method !== 'card'} className={classes.opened}>
        {cardFields[offeredOf(offered, 'card')?.provider ?? 'stripe']}
        {children}
      </div>
    ),
    bank: method === 'bank' && (
      <div className={classes.opened}>
        <BankFields form={form} isSignedIn={isSignedIn} {...bank} />
      </div>
    ),
    page: method === 'page' && <p className={classes.told}>{t('pledge.method.pageText')}</p>,
  };
  return (
    <fieldset className={classes.group} data-path="method">
      <legend className="tk-visually-hidden">{t('pledge.payment')}</legend>
      <KeptCards
        cards={offered.cards}
        chosen={method === 'kept' ? form.values.kept_card : undefined}
        onChoose={(id) => {
          form.setValue('kept_card', id);
          choose('kept');
        }}
        onRemoved={(id) => {
          if (method === 'kept' && form.values.kept_card === id) form.setValue('method', '');
          onCardRemoved(id);
        }}
      />
      {isShort && (
        <div>
          <TextButton look="aside" isOpen={false} onPress={() => setUnfolded(true)}>
            <PlusIcon size={16} /> {t('pledge.quick.otherWay')}
          </TextButton>
        </div>
      )}
      {(isShort ? [] : offered.methods).map(({ method: one }) => {
        const { Icon, label, note } = methods[one];
        return (
          <OptionRow
            key={one}
            name="method"
            value={one}
            isChecked={method === one}
            onChoose={() => choose(one)}
            icon={<Icon />}
            label={t(one === 'card' && offered.cards.length > 0 ? 'pledge.method.newCard' : label)}
            note={t(note)}
            isNoteBelow
          >
            {fields[one]}
          </OptionRow>
        );
      })}
    </fieldset>
  );
}

/** Whoever pays is mostly the holder of the account. */
function fillInOwner({ values, setValue }: PledgeForm) {
  if (values.bank_owner === '') setValue('bank_owner', `${values.first_name} ${values.last_name}`.trim());
  if (values.bank_street === '') setValue('bank_street', values.address_street);
  if (values.bank_postcode === '') setValue('bank_postcode', values.address_postcode);
  if (values.bank_city === '') setValue('bank_city', values.address_city);
}

export interface MonthlyPaymentSectionProps {
  campaign: PaidTo & { is_unpayable?: boolean };
  card: RefObject<CardForm | null>;
  cents: number;
  currency: string;
  onCardStatus: (status: CardFormStatus) => void;
  children?: ReactNode;
}

/** Monthly support is paid by card only, which is saved. */
export function MonthlyPaymentSection(props: MonthlyPaymentSectionProps) {
  const { campaign, card, cents, currency, onCardStatus, children } = props;
  const { t } = useTranslation();
  if (campaign.is_unpayable)
    return (
      <Section title={t('pledge.payment')}>
        <NoMethods campaign={campaign} />
      </Section>
    );
  return (
    <Section title={t('pledge.payment')}>
      <div className={classes.box}>
        <CardFields ref={card} cents={cents} currency={currency} purpose="monthly" onStatus={onCardStatus} />
        {children}
      </div>
      <p className={classes.hint}>{t('pledge.monthly.saved')}</p>
    </Section>
  );
}
