import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { PostAdmin } from '../../../api/editing';
import { languages, type Language } from '../../../domain/languages';
import { useLanguage } from '../../../i18n';
import { formatCount, formatMoney } from '../../../i18n/format';
import { Button } from '../../../ui/Button';
import { ConfirmDialog } from '../../../ui/ConfirmDialog';
import { CheckIcon, MailIcon } from '../../../ui/icons';
import { OptionRow } from '../../../ui/OptionRow';
import { Letters } from './Letters';
import { checksOf, type PostParts } from './parts';
import classes from './PostPanel.module.css';

export interface PostPanelProps {
  post: PostAdmin;
  parts: PostParts;
  onLevel: (level: number) => void;
  /** The user wants to write the text of a language that has none. */
  onWriteIn: (language: Language) => void;
  /** Something is done to the post. Whatever else is pressed meanwhile would not be done: the buttons show that they wait. */
  isBusy: boolean;
  onTest: () => void;
  onDelete: () => void;
}

/** The panel beside a post: who may read it, who gets it by email, and what to check before publishing. */
export function PostPanel({ post, parts, onLevel, onWriteIn, isBusy, onTest, onDelete }: PostPanelProps) {
  const { t } = useTranslation();
  const [isAsked, setAsked] = useState(false);
  const isDraft = post.status === 'draft';
  return (
    <aside className={classes.root}>
      <Levels post={post} level={parts.level} onLevel={onLevel} />
      <Letters post={post} parts={parts} onWriteIn={onWriteIn} />
      <Checks parts={parts} />
      <div className={classes.acts}>
        <Button variant="transparent" leftSection={<MailIcon />} loading={isBusy} onClick={onTest}>
          {t('editing.post.test')}
        </Button>
        <Button variant="transparent" color="danger" loading={isBusy} onClick={() => setAsked(true)}>
          {t(isDraft ? 'editing.post.deleteDraft' : 'editing.post.delete')}
        </Button>
      </div>
      <ConfirmDialog
        isOpen={isAsked}
        title={t('editing.post.deleteTitle')}
        confirmLabel={t('editing.post.delete')}
        cancelLabel={t('editing.post.keep')}
        isConfirming={isBusy}
        onConfirm={() => {
          setAsked(false);
          onDelete();
        }}
        onCancel={() => setAsked(false)}
      >
        {t(isDraft ? 'editing.post.deleteText' : 'editing.post.deleteOutText')}
      </ConfirmDialog>
    </aside>
  );
}

function Levels({
  post,
  level,
  onLevel,
}: {
  post: PostAdmin;
  level: number;
  onLevel: (level: number) => void;
}) {
  const { t } = useTranslation();
  const language = useLanguage();
  const rows = post.readers.filter((row) => row.level > 0);
  const isOther = level > 0 && !rows.some((row) => row.level === level);
  const levels = [
    { level: 0, readers: undefined },
    ...rows,
    ...(isOther ? [{ level, readers: undefined }] : []),
  ];
  const nameOf = (of: number) => {
    if (of === 0) return t('editing.post.everyone');
    if (of === 1) return t('editing.post.backers');
    return t('editing.post.backersFrom', { amount: formatMoney(language, of, { cents: false }) });
  };
  return (
    <section aria-labelledby="levels" className={classes.part}>
      <h2 id="levels" className={classes.title}>
        {t('editing.post.who')}
      </h2>
      <div role="radiogroup" aria-labelledby="levels" className={classes.rows}>
        {levels.map(({ level: of, readers }) => (
          <OptionRow
            key={of}
            name="level"
            value={String(of)}
            isChecked={of === level}
            onChoose={() => onLevel(of)}
            label={nameOf(of)}
            note={
              of === 0
                ? t('editing.post.public')
                : readers === undefined
                  ? undefined
                  : formatCount(language, readers)
            }
            detail={of > 0 && of === level ? t('editing.post.others') : undefined}
          />
        ))}
      </div>
    </section>
  );
}

function Checks({ parts }: { parts: PostParts }) {
  const { t } = useTranslation();
  const { titles, hasAllAlts, hasGoodLinks, hasPlayers } = checksOf(parts);
  const rows: { key: 'titles' | 'alts' | 'links' | 'videos'; isDone: boolean; note?: string }[] = [
    {
      key: 'titles',
      isDone: titles === languages.length,
      note: t('editing.post.checks.of', { count: titles, all: languages.length }),
    },
    { key: 'alts', isDone: hasAllAlts },
    { key: 'links', isDone: hasGoodLinks },
    // Listed only if something is wrong, because most updates have no video.
    ...(hasPlayers ? [] : [{ key: 'videos' as const, isDone: false }]),
  ];
  return (
    <section aria-labelledby="checks" className={classes.part}>
      <h2 id="checks" className={classes.title}>
        {t('editing.post.before')}
      </h2>
      <ul className={classes.checks}>
        {rows.map(({ key, isDone, note }) => (
          <li key={key}>
            <span className={classes.box} data-done={isDone ? true : undefined}>
              {isDone && <CheckIcon size={16} />}
            </span>
            <span>
              {t(`editing.post.checks.${key}`)}
              <span className="tk-visually-hidden">
                {' '}
                {t(isDone ? 'editing.post.checks.done' : 'editing.post.checks.open')}
              </span>
            </span>
            {!isDone && note && <span className={classes.note}>{note}</span>}
          </li>
        ))}
      </ul>
    </section>
  );
}
