import { useTranslation } from 'react-i18next';
import type { PostAdmin } from '../../../api/editing';
import { languages, type Language } from '../../../domain/languages';
import { useLanguage } from '../../../i18n';
import { formatCount, formatDateTime } from '../../../i18n/format';
import { TextButton } from '../../../ui/TextButton';
import { firstLanguage, isEmptyText, lettersToSend, type PostParts } from './parts';
import classes from './PostPanel.module.css';

export interface LettersProps {
  post: PostAdmin;
  parts: PostParts;
  onWriteIn: (language: Language) => void;
}

/** How many backers get a post by email, by language. Each gets it once, however often the post is published. */
export function Letters({ post, parts, onWriteIn }: LettersProps) {
  const { t } = useTranslation();
  const pageLanguage = useLanguage();
  const { letters } = post;
  const main = firstLanguage(parts, pageLanguage);
  const leaving = lettersToSend(post);
  const rows = languages.filter((language) => (letters.by_language[language] ?? 0) > 0);
  const lacking = rows.filter((language) => isEmptyText(parts[language]) && language !== main);
  return (
    <section aria-labelledby="letters" className={classes.part}>
      <h2 id="letters" className={classes.title}>
        {t('editing.post.letters')}
      </h2>
      {letters.sent_at ? (
        <>
          <p className={classes.quiet}>
            {t('editing.post.lettersSent', { time: formatDateTime(pageLanguage, letters.sent_at) })}
          </p>
          {letters.undelivered > 0 && (
            <p className={classes.quiet}>{t('editing.post.undelivered', { count: letters.undelivered })}</p>
          )}
        </>
      ) : letters.waits_for && letters.total > 0 ? (
        <p className={classes.quiet}>{t(`editing.post.lettersWait.${letters.waits_for}`)}</p>
      ) : leaving === 0 ? (
        // After the post is published the server creates the emails in batches, so sent_at is not set at once.
        <p className={classes.quiet}>
          {t(
            post.status === 'published' && letters.total > 0
              ? 'editing.post.lettersLeaving'
              : 'editing.post.noLetters',
          )}
        </p>
      ) : (
        <>
          <p className={classes.figure}>
            <b>{formatCount(pageLanguage, leaving)}</b> {t('editing.post.lettersLeave', { count: leaving })}
          </p>
          <dl className={classes.facts}>
            {rows.map((language) => (
              <div key={language}>
                <dt>
                  {t(`editing.post.in.${language}`)}
                  {lacking.includes(language) && <span className={classes.dot} aria-hidden="true" />}
                </dt>
                <dd>
                  {lacking.includes(language) && (
                    <TextButton look="aside" onPress={() => onWriteIn(language)}>
                      {t('editing.post.writeIt')}
                    </TextButton>
                  )}
                  <b>{formatCount(pageLanguage, letters.by_language[language] ?? 0)}</b>
                </dd>
              </div>
            ))}
          </dl>
          {lacking.length > 0 && (
            <p className={classes.quiet}>
              {t(`editing.post.instead.${main}`, {
                count: lacking.reduce((sum, language) => sum + (letters.by_language[language] ?? 0), 0),
              })}
            </p>
          )}
          <dl className={classes.facts}>
            <div className={classes.ruled}>
              <dt>{t('editing.post.declined')}</dt>
              <dd>
                <b>{formatCount(pageLanguage, letters.declined)}</b>
              </dd>
            </div>
          </dl>
          <p className={classes.once}>
            <b>{t('editing.post.onceTitle')}</b> {t('editing.post.onceText')}
          </p>
        </>
      )}
    </section>
  );
}
