import { useTranslation } from 'react-i18next';
import type { ReviewChangesAnswer, ReviewedPart } from '../../../api/editing';
import { foreignLang } from '../../../domain/languages';
import { useLanguage } from '../../../i18n';
import { formatDateTime } from '../../../i18n/format';
import { Button } from '../../../ui/Button';
import { Chip } from '../../../ui/Chip';
import { Picture } from '../../../ui/Picture';
import { changedLines, type Line } from './changedLines';
import classes from './Changes.module.css';
import { partName } from './partName';
import { ChangedWords } from '../merge/ChangedWords';

export interface ChangesProps {
  changes: ReviewChangesAnswer;
  /** Marks one change as seen; undefined when the reader cannot, or the campaign is decided about as a whole. */
  onSee?: (part: ReviewedPart) => void;
  isSeeing?: boolean;
}

/** What has changed of a campaign since staff read it, part by part; empty when nothing has. */
export function Changes({ changes, onSee, isSeeing = false }: ChangesProps) {
  const { t } = useTranslation();
  const changed = changes.parts.filter((part) => part.changed);
  if (changed.length === 0) return null;
  const isApproved = changes.stage > 0;
  const count = changed.length;
  return (
    <section className={classes.root} aria-label={t('review.changes.heading')}>
      <h2 id="review-changes" tabIndex={-1}>
        {t(isApproved ? 'review.changes.sinceApproved' : 'review.changes.sinceRead', { count })}
      </h2>
      <p className={classes.lead}>{t('review.changes.rest', { count: changes.parts.length - count })}</p>
      <ul className={classes.list}>
        {changed.map((part) => (
          <Row
            key={part.part}
            part={part}
            names={changes.names}
            isApproved={isApproved}
            onSee={onSee}
            isSeeing={isSeeing}
          />
        ))}
      </ul>
    </section>
  );
}

interface RowProps extends Pick<ChangesProps, 'onSee' | 'isSeeing'> {
  part: ReviewedPart;
  names: ReviewChangesAnswer['names'];
  isApproved: boolean;
}

function Row({ part, names, isApproved, onSee, isSeeing }: RowProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const context = { t, language, names };
  const lines = changedLines(part, context);
  const name = partName(t, part.part);
  const isBack = part.kind === 'back_to_queue';
  return (
    <li className={classes.row}>
      <div className={classes.who}>
        <h3>{name}</h3>
        {part.by && <p>{part.by}</p>}
        {part.at && <time dateTime={part.at}>{formatDateTime(language, part.at)}</time>}
      </div>
      <div className={classes.what}>
        <div className={classes.head}>
          <span>
            {isApproved && (
              <Chip tone={isBack ? 'cloud' : 'plain'}>
                {t(`review.changes.kind.${isBack ? 'back' : 'seen'}`)}
              </Chip>
            )}
            {part.before === undefined && <Chip>{t('review.changes.added')}</Chip>}
            {part.now === undefined && <Chip>{t('review.changes.gone')}</Chip>}
          </span>
          {onSee && (
            <Button
              size="sm"
              variant="transparent"
              disabled={isSeeing}
              aria-label={`${t(isBack ? 'review.changes.fine' : 'review.changes.seen')}: ${name}`}
              onClick={() => onSee(part)}
            >
              {t(isBack ? 'review.changes.fine' : 'review.changes.seen')}
            </Button>
          )}
        </div>
        {lines.map(({ line, before, now }) => (
          <div key={line.key}>
            {line.label && <p className={classes.label}>{line.label}</p>}
            {line.is === 'text' ? (
              <ChangedWords
                before={before?.texts ?? []}
                now={now?.texts ?? []}
                lang={foreignLang(line.lang ?? language, language)}
              />
            ) : (
              <Sides before={before} now={now} />
            )}
          </div>
        ))}
      </div>
    </li>
  );
}

interface VersionsProps {
  before?: Line;
  now?: Line;
}

/** One value or picture, before and now. */
function Sides({ before, now }: VersionsProps) {
  const { t } = useTranslation();
  return (
    <div className={classes.sides}>
      {before && (
        <div>
          <p className={classes.label}>{t('review.changes.before')}</p>
          <Value line={before} />
        </div>
      )}
      {now && (
        <div>
          <p className={classes.label}>{t('review.changes.now')}</p>
          <Value line={now} />
        </div>
      )}
    </div>
  );
}

function Value({ line }: { line: Line }) {
  const [text = ''] = line.texts;
  if (line.is !== 'picture') return <strong>{text}</strong>;
  return (
    <div className={classes.picture}>
      <Picture name={text} alt="" ratio={1.6} widths={[192, 384]} sizes="12rem" shape="thumb" />
    </div>
  );
}
