import { useTranslation } from 'react-i18next';
import { Picture } from '../../../ui/Picture';
import { ChangedWords } from '../merge/ChangedWords';
import { isDoc } from '../partNames';
import { blockTexts } from '../richText/document';
import classes from './History.module.css';

export interface HistoryValuesProps {
  before: unknown;
  after: unknown;
  /** Texts whose changed words are shown, also those that are no documents. */
  isText?: boolean;
  /** The values are pictures of this ratio. */
  ratio?: number;
  /** A value in words; empty if it has none. */
  say: (value: unknown) => string;
}

/** What was changed: of a text the words in its changed blocks, of anything else the values. */
export function HistoryValues({ before, after, isText = false, ...rest }: HistoryValuesProps) {
  const [was, is] = [textsOf(before), textsOf(after)];
  if ((isText && (was || is)) || isDoc(before) || isDoc(after))
    return <ChangedWords before={was ?? []} now={is ?? []} />;
  return (
    <>
      <Value value={before} as="del" {...rest} />
      <Value value={after} as="ins" {...rest} />
    </>
  );
}

/** The paragraphs of a text or a story; undefined for any other value. */
function textsOf(value: unknown): readonly string[] | undefined {
  if (isDoc(value)) return blockTexts(value);
  return typeof value === 'string' && value !== '' ? value.split('\n').filter(Boolean) : undefined;
}

interface ValueProps extends Pick<HistoryValuesProps, 'ratio' | 'say'> {
  value: unknown;
  as: 'del' | 'ins';
}

/** A value in words or as a picture; nothing if it was empty or is not in the history. */
function Value({ value, ratio, say, as: Tag }: ValueProps) {
  const { t } = useTranslation();
  if (value === undefined || value === null || value === '') return null;
  if (ratio && typeof value === 'string')
    return (
      <span className={classes.picture}>
        <span className="tk-visually-hidden">{t(`editing.campaign.history.${Tag}`)}</span>
        <Picture name={value} alt="" ratio={ratio} widths={[160]} sizes="7.5rem" shape="thumb" />
      </span>
    );
  const said = say(value);
  return said ? <Tag>{said}</Tag> : null;
}
