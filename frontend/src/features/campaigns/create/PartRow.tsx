import { useId, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { CheckIcon } from '../../../ui/icons';
import { TextButton } from '../../../ui/TextButton';
import classes from './PartRow.module.css';
import type { Part } from './values';

export interface PartRowProps {
  part: Part;
  /** From 1. */
  number: number;
  count: number;
  isOpen: boolean;
  isDone: boolean;
  /** The answers in one line; shown when the part is done and not open. */
  answer: string;
  /** Whether what was typed is saved. */
  saveState: ReactNode;
  onOpen: () => void;
  children: ReactNode;
}

/** A part of the form. Open: with its fields. Done: a row with its answers. Ahead: a row that says what it asks. */
export function PartRow(props: PartRowProps) {
  const { part, number, count, isOpen, isDone, answer, saveState, onOpen, children } = props;
  const { t } = useTranslation();
  const id = useId();
  const state = isOpen ? 'open' : isDone ? 'done' : 'ahead';
  return (
    <section aria-labelledby={id} className={classes.root} data-state={state} data-part={part}>
      <span className={classes.disc} aria-hidden="true">
        {state === 'done' ? <CheckIcon size={16} /> : number}
      </span>
      <h2 id={id} tabIndex={-1} className={classes.title}>
        {t(`begin.parts.${part}.title`)}
        {state === 'done' && <span className="tk-visually-hidden">, {t('begin.done')}</span>}
      </h2>
      {isOpen ? (
        <>
          <p className={classes.state}>
            {count > 1 && <span className={classes.step}>{t('begin.step', { number, count })}</span>}
            {saveState}
          </p>
          <div className={classes.fields}>{children}</div>
        </>
      ) : (
        <>
          <p className={classes.answer}>{isDone ? answer : t(`begin.parts.${part}.asks`)}</p>
          {isDone && (
            <TextButton look="aside" onPress={onOpen}>
              {t('begin.change')}
              <span className="tk-visually-hidden">: {t(`begin.parts.${part}.title`)}</span>
            </TextButton>
          )}
        </>
      )}
    </section>
  );
}
