import { useTranslation } from 'react-i18next';
import classes from './ChangedWords.module.css';
import { align, differ, type Piece } from './wordDiff';

export interface ChangedWordsProps {
  /** Paragraphs. */
  before: readonly string[];
  now: readonly string[];
  lang?: string;
}

/** A text's changed paragraphs, word by word. Those that stayed are only counted. */
export function ChangedWords({ before, now, lang }: ChangedWordsProps) {
  const { t } = useTranslation();
  const all = pairs(align(before, now));
  const changed = all.filter(({ was, is }) => was !== is);
  const untouched = all.length - changed.length;
  return (
    <>
      {changed.map(({ was, is }, place) => (
        <p key={place} className={classes.text} lang={lang}>
          {differ(was, is).map((piece, at) => (
            <Said key={at} piece={piece} />
          ))}
        </p>
      ))}
      {untouched > 0 && (
        <p className={classes.label}>{t('review.changes.untouched', { count: untouched })}</p>
      )}
    </>
  );
}

function Said({ piece: { is, text } }: { piece: Piece }) {
  if (is === 'del') return <del>{text}</del>;
  return is === 'ins' ? <ins>{text}</ins> : text;
}

/** Puts each paragraph that went beside the one that came in its place. */
function pairs(pieces: readonly Piece[]): { was: string; is: string }[] {
  const out: { was: string; is: string }[] = [];
  let gone: string[] = [];
  for (const { is, text } of pieces) {
    if (is === 'del') gone.push(text);
    else if (is === 'ins') out.push({ was: gone.shift() ?? '', is: text });
    else {
      out.push(...gone.map((was) => ({ was, is: '' })), { was: text, is: text });
      gone = [];
    }
  }
  return [...out, ...gone.map((was) => ({ was, is: '' }))];
}
