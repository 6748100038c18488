import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useBlocker } from 'react-router-dom';
import { ConfirmDialog } from '../../../ui/ConfirmDialog';
import { isBusy } from '../flow/machine';
import type { CheckoutState } from '../useCheckout';

/** What closing the dialog would lose, and the question about it. */
export interface Loss {
  isAsked: boolean;
  /** Closes, or asks first. */
  close: () => void;
  onLose: () => void;
  onStay: () => void;
}

/**
 * A draft keeps what is typed, for the next time and for the pledge page; only secrets are lost: a card, the number of an
 * account, a password. It is asked about them before the dialog is closed, also by the browser's back button.
 */
export function useLoss(checkout: CheckoutState, onClose: () => void): Loss {
  const { form, flow } = checkout;
  const [isAsked, setAsked] = useState(false);
  const isAgreed = useRef(false);
  const hasSecrets = () => {
    const { method, bank_account, bank_iban, account, password } = form.values;
    if (isAgreed.current || isBusy(flow.state) || flow.state.name === 'succeeded') return false;
    return (
      (method === 'card' && [flow.card, flow.ownCard].some(({ current }) => current?.isTyped() === true)) ||
      (method === 'bank' && bank_account === 'new' && bank_iban !== '') ||
      (account !== 'none' && password !== '')
    );
  };
  const latest = useRef(hasSecrets);
  useEffect(() => {
    latest.current = hasSecrets;
  });
  const blocker = useBlocker(
    ({ currentLocation: from, nextLocation: to }) =>
      latest.current() && (from.pathname !== to.pathname || from.hash !== to.hash),
  );
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => {
      if (latest.current()) event.preventDefault();
    };
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, []);
  return {
    isAsked: isAsked || blocker.state === 'blocked',
    close: () => {
      if (hasSecrets()) setAsked(true);
      else onClose();
    },
    onLose: () => {
      isAgreed.current = true;
      setAsked(false);
      if (blocker.state === 'blocked') blocker.proceed();
      else onClose();
    },
    onStay: () => {
      setAsked(false);
      blocker.reset?.();
    },
  };
}

/** Asks whether what cannot be kept may be lost. */
export function AskBeforeLoss({ loss }: { loss: Loss }) {
  const { t } = useTranslation();
  return (
    <ConfirmDialog
      isOpen={loss.isAsked}
      title={t('pledge.quick.loseTitle')}
      confirmLabel={t('pledge.quick.lose')}
      cancelLabel={t('pledge.quick.stay')}
      onConfirm={loss.onLose}
      onCancel={loss.onStay}
    >
      {t('pledge.quick.loseText')}
    </ConfirmDialog>
  );
}
