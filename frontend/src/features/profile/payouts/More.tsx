import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../ui/Button';
import classes from './PayoutsPage.module.css';

export interface MoreProps {
  /** What an account at the other provider is for. */
  of: 'cards' | 'bank';
  /** Its form. */
  children: ReactNode;
}

/** Offers an account at another provider; its form opens when it is asked for. */
export function More({ of, children }: MoreProps) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  if (isOpen) return children;
  const id = `more-${of}`;
  return (
    <section aria-labelledby={id} className={classes.part}>
      <h2 id={id}>{t(`payouts.more.${of}.title`)}</h2>
      <div className={classes.foot}>
        <p className={classes.note}>{t(`payouts.more.${of}.text`)}</p>
        <Button variant="outline" onClick={() => setOpen(true)}>
          {t(`payouts.more.${of}.open`)}
        </Button>
      </div>
    </section>
  );
}
