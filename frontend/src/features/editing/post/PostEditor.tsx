import { useState } from 'react';
import { flushSync } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import type { PostAdmin, Writer } from '../../../api/editing';
import { languages } from '../../../domain/languages';
import { paths, type Named } from '../../../domain/paths';
import { useLanguage } from '../../../i18n';
import { formatDate, formatMoney } from '../../../i18n/format';
import { BackLink } from '../../../ui/BackLink';
import { Chip } from '../../../ui/Chip';
import { EyeIcon, LockIcon } from '../../../ui/icons';
import { AppMantineProvider } from '../../../ui/AppMantineProvider';
import { TitleField } from '../../../ui/TitleField';
import { LanguageSegments } from '../LanguageSegments';
import { plainText } from '../richText/document';
import { Writers } from '../presence/Writers';
import { RichText } from '../richText/RichText';
import { SaveState } from '../SaveState';
import { TwoVersions } from '../TwoVersions';
import { firstLanguage, isComplete, isEmptyText, lettersToSend, textOf, type PostText } from './parts';
import classes from './PostEditor.module.css';
import { PostPanel } from './PostPanel';
import { PublishButton } from './PublishButton';
import { Reach } from './Reach';
import { usePostActs } from './usePostActs';
import { usePostEditor } from './usePostEditor';

export interface PostEditorProps {
  /** The post as it was loaded. */
  first: PostAdmin;
  /** Who else had it open then. */
  writers: readonly Writer[] | undefined;
  /** The user who edits. The page stays theirs when their session expires. */
  userId: number;
  campaign: Named;
}

/** In characters; the contract's bound. */
const maxTitleLength = 120;

/** Edits an update: the text as it will look, and beside it who will read it. */
export function PostEditor({ first, writers, userId, campaign }: PostEditorProps) {
  const { t } = useTranslation();
  const pageLanguage = useLanguage();
  const editor = usePostEditor(first, userId, writers);
  const { post, parts, write, leave, saver, status, remounts, question, keepMine, keepTheirs } = editor;
  const acts = usePostActs(editor, campaign);
  const [language, setLanguage] = useState(() => firstLanguage(parts, pageLanguage));
  const text = parts[language];
  // The level never conflicts (isSame); this narrows the type.
  const asked = question && question.part !== 'level' ? { ...question, language: question.part } : undefined;
  const change = (next: Partial<PostText>) => write(language, { ...text, ...next });
  const toQuestion = () => {
    const asked = languages.find((one) => saver.asking(one));
    // At once, because the question is looked for then.
    if (asked && asked !== language) flushSync(() => setLanguage(asked));
    const place = document.querySelector<HTMLElement>('[data-question]');
    place?.scrollIntoView({ block: 'center' });
    place?.querySelector<HTMLElement>('input, button')?.focus();
  };
  const isDraft = post.status === 'draft';

  return (
    <AppMantineProvider>
      <div className={classes.bar}>
        <div className={`tk-container ${classes.inBar}`}>
          <BackLink to={paths.campaign(pageLanguage, campaign)}>
            {campaign.title ?? t('action.back')}
          </BackLink>
          <LanguageSegments
            value={language}
            onChange={setLanguage}
            missing={languages.filter((one) => isEmptyText(parts[one]))}
          />
          <SaveState
            status={status}
            savedBefore={post.updated_at}
            isDraft={isDraft}
            onRetry={saver.resume}
            questions={editor.questions}
            onQuestion={toQuestion}
          />
          <Writers writers={editor.writers} />
          <div className={classes.barActs}>
            <Link
              to={paths.post(pageLanguage, campaign, post.id)}
              onClick={leave}
              className={classes.asBacker}
            >
              <EyeIcon size={16} />
              {t('editing.post.asBacker')}
            </Link>
            <PublishButton
              isDraft={isDraft}
              letters={lettersToSend(post)}
              waitsFor={post.letters.waits_for}
              reach={<Reach post={post} level={parts.level} />}
              canPublish={isComplete(parts, post.language)}
              isBusy={acts.isBusy}
              onBefore={acts.save}
              onPublish={() => void acts.setStatus('published')}
              onUnpublish={() => void acts.setStatus('draft')}
            />
          </div>
        </div>
        <div role="alert" className="tk-container">
          {acts.failure && <p className={classes.failure}>{acts.failure}</p>}
        </div>
      </div>
      <div className={`tk-container ${classes.root}`}>
        <div className={classes.text}>
          <h1 className="tk-visually-hidden">{t('editing.post.pageTitle')}</h1>
          <p className={classes.eyebrow}>
            <Chip tone={isDraft ? 'plain' : 'spruce'}>
              {t(isDraft ? 'editing.post.draft' : 'editing.post.isOut')}
            </Chip>
            {[
              t('editing.post.number', { number: post.number }),
              post.author,
              formatDate(pageLanguage, post.published_at ?? post.updated_at),
            ]
              .filter(Boolean)
              .join(' · ')}
          </p>
          {asked && (
            <div data-question="">
              <TwoVersions
                who={asked.who}
                at={asked.at}
                mine={<Words text={parts[asked.language]} />}
                theirs={<Words text={textOf(asked.theirs, asked.language)} />}
                onKeepMine={keepMine}
                onKeepTheirs={keepTheirs}
              />
            </div>
          )}
          <TitleField
            label={t('editing.post.title')}
            placeholder={t('editing.post.title')}
            lang={language}
            value={text.title}
            maxLength={maxTitleLength}
            onChange={(title) => change({ title })}
            onLeave={leave}
          />
          <RichText
            key={`${language}-${remounts[language] ?? 0}`}
            label={t('editing.post.text')}
            doc={text.doc}
            lang={language}
            placeholder={t('editing.post.placeholder')}
            hasPlaceholderAtEnd
            pictures={{ campaignId: post.campaign_id }}
            onChange={(doc) => change({ doc })}
            onLeave={leave}
            arrivals={editor.arrivalsOf(language)}
            previewEnd={parts.level > 0 ? <PreviewEnd level={parts.level} /> : undefined}
          />
        </div>
        <PostPanel
          post={post}
          parts={parts}
          onLevel={(level) => write('level', level)}
          onWriteIn={setLanguage}
          isBusy={acts.isBusy}
          onTest={() => void acts.sendTest(language)}
          onDelete={() => void acts.remove()}
        />
      </div>
    </AppMantineProvider>
  );
}

/** Where the preview of a post for backers ends. */
function PreviewEnd({ level }: { level: number }) {
  const { t } = useTranslation();
  const language = useLanguage();
  return (
    <p className={classes.end}>
      <span>
        <LockIcon size={16} />
        {level === 1
          ? t('editing.post.endBackers')
          : t('editing.post.endFrom', { amount: formatMoney(language, level, { cents: false }) })}
      </span>
    </p>
  );
}

function Words({ text: { title, doc } }: { text: PostText }) {
  return (
    <>
      <b>{title}</b>
      {`\n${plainText(doc)}`}
    </>
  );
}
