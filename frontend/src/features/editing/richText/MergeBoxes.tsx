import { useEditorState, type Editor } from '@tiptap/react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLanguage } from '../../../i18n';
import { formatTime } from '../../../i18n/format';
import { Button } from '../../../ui/Button';
import { OptionRow } from '../../../ui/OptionRow';
import { TextButton } from '../../../ui/TextButton';
import type { BlockQuestion, TakenBlock } from '../merge/blockMerge';
import { ChangedWords } from '../merge/ChangedWords';
import { mergeWords } from '../merge/mergeWords';
import type { Changer } from '../merge/textMerge';
import { blockTexts, type DocNode } from './document';
import classes from './MergeBoxes.module.css';

const textsOf = (block: DocNode | undefined) => (block ? blockTexts({ type: 'doc', content: [block] }) : []);

export interface QuestionBoxProps {
  editor: Editor;
  question: BlockQuestion;
  by?: Changer;
  /** The user's version as it is now; undefined if they have removed it. */
  ownOf: () => DocNode | undefined;
  /** Without a block: it goes. */
  onChoose: (block: DocNode | undefined) => void;
}

/** Asks what becomes of a block that two people have changed. Nothing is chosen at first. */
export function QuestionBox({ editor, question, by, ownOf, onChoose }: QuestionBoxProps) {
  const { t } = useTranslation();
  const heading = useId();
  // Typed on meanwhile, so that the choice is about what stands there.
  const own = useEditorState({
    editor,
    selector: ownOf,
    equalityFn: (one, other) => JSON.stringify(one) === JSON.stringify(other),
  });
  const { base, theirs } = question;
  const who = by?.who || t('editing.merge.somebody');
  const isGone = !own || !theirs;
  const title = !theirs
    ? t('editing.merge.theyRemoved', { who })
    : own
      ? t('editing.merge.question')
      : t('editing.merge.youRemoved', { who });
  return (
    <section className={classes.box} aria-labelledby={heading} data-question="">
      <h3 id={heading} className={classes.heading} tabIndex={-1}>
        {title}
      </h3>
      <p className={classes.note}>{t('editing.merge.rest')}</p>
      {isGone ? (
        <>
          <ChangedWords before={textsOf(base)} now={textsOf(own ?? theirs)} />
          <div className={classes.acts}>
            <Button size="sm" onClick={() => onChoose(own ?? theirs)}>
              {t('editing.merge.keep')}
            </Button>
            <Button size="sm" variant="outline" onClick={() => onChoose(undefined)}>
              {t('editing.merge.remove')}
            </Button>
          </div>
        </>
      ) : (
        <Versions base={base} own={own} theirs={theirs} who={who} at={by?.at} onChoose={onChoose} />
      )}
    </section>
  );
}

interface VersionsProps {
  base: DocNode;
  own: DocNode;
  theirs: DocNode;
  who: string;
  at?: string;
  onChoose: (block: DocNode) => void;
}

function Versions({ base, own, theirs, who, at, onChoose }: VersionsProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const name = useId();
  const [chosen, setChosen] = useState<'own' | 'theirs' | 'both'>();
  const [isMissing, setMissing] = useState(false);
  const both = mergeWords(base, own, theirs);
  const blocks = { own, theirs, both };
  const option = (value: 'own' | 'theirs' | 'both', label: string, block: DocNode, time?: string) => (
    <OptionRow
      name={name}
      value={value}
      isChecked={chosen === value}
      onChoose={() => setChosen(value)}
      label={label}
      note={time && formatTime(language, time)}
      detail={<ChangedWords before={textsOf(base)} now={textsOf(block)} />}
    />
  );
  const keep = () => {
    const block = chosen && blocks[chosen];
    if (block) onChoose(block);
    else setMissing(true);
  };
  return (
    <>
      <fieldset className={classes.options}>
        <legend className="tk-visually-hidden">{t('editing.merge.question')}</legend>
        {option('own', t('editing.mine'), own)}
        {option('theirs', who, theirs, at || undefined)}
        {both && option('both', t('editing.merge.both'), both)}
      </fieldset>
      <p role="alert" className={classes.missing}>
        {isMissing && !chosen && t('editing.merge.chooseFirst')}
      </p>
      <div className={classes.acts}>
        <Button size="sm" onClick={keep}>
          {t('editing.merge.keepChosen')}
        </Button>
        <TextButton look="inline" onPress={() => onChoose(own)}>
          {t('editing.merge.writeMyself')}
        </TextButton>
      </div>
    </>
  );
}

export interface TakenLineProps {
  taken: TakenBlock;
  /** The block as it was taken. */
  now: DocNode | undefined;
  by?: Changer;
}

/** Says over a block that somebody else has changed it. */
export function TakenLine({ taken, now, by }: TakenLineProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const [isOpen, setOpen] = useState(false);
  const who = by?.who || t('editing.merge.somebody');
  return (
    <div className={classes.taken}>
      <p>
        {t(taken.before ? 'editing.merge.changed' : 'editing.merge.added', { who })}{' '}
        {by?.at && <time dateTime={by.at}>{formatTime(language, by.at)}</time>}{' '}
        {taken.before && (
          <TextButton look="inline" isOpen={isOpen} onPress={() => setOpen(!isOpen)}>
            {t(isOpen ? 'editing.merge.hide' : 'editing.merge.show')}
          </TextButton>
        )}
      </p>
      {isOpen && <ChangedWords before={textsOf(taken.before)} now={textsOf(now)} />}
    </div>
  );
}
