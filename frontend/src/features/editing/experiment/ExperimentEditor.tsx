import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import type { ExperimentAdmin, Writer } from '../../../api/experiments';
import { selectUser } from '../../../api/session';
import { useLanguage } from '../../../i18n';
import { AppMantineProvider } from '../../../ui/AppMantineProvider';
import { EditPart } from '../campaign/EditPart';
import { FieldErrorText } from '../campaign/FieldErrorText';
import { UndoAndHistory } from '../history/UndoAndHistory';
import { LanguageSegments } from '../LanguageSegments';
import { Writers } from '../presence/Writers';
import { WritersContext } from '../presence/writers';
import { RichText } from '../richText/RichText';
import { SaveState } from '../SaveState';
import { TwoVersions } from '../TwoVersions';
import { TitleField } from '../../../ui/TitleField';
import ExperimentBar from '../../../ui/experiments/ExperimentBar';
import { Cover } from './Cover';
import classes from './ExperimentEditor.module.css';
import { ExperimentHistory } from './ExperimentHistory';
import { FundingEditor } from './FundingEditor';
import { LinksEditor } from './LinksEditor';
import { Off } from './Off';
import { missingLanguages, ofLanguage } from '../partNames';
import { longest, partsOf, wordsOf, type WordField } from './parts';
import { ShowIn } from './ShowIn';
import { StageMove } from './StageMove';
import { TagsEditor } from './TagsEditor';
import { TeamEditor } from './TeamEditor';
import { EditorContext, useEditor, useExperimentEditor } from './useExperimentEditor';
import { Where } from './Where';

export interface ExperimentEditorProps {
  /** The experiment as it was read for editing. */
  first: ExperimentAdmin;
  /** Who else had it open then. */
  writers: readonly Writer[] | undefined;
  userId: number;
}

/** An experiment's page as visitors see it, with every text written in its place, and its settings beside it. */
export function ExperimentEditor({ first, writers, userId }: ExperimentEditorProps) {
  const { t } = useTranslation();
  const pageLanguage = useLanguage();
  const editor = useExperimentEditor(first, userId, writers);
  const [language, setLanguage] = useState(pageLanguage);
  const scope = useSelector(selectUser)?.scope ?? [];
  const isAdmin = scope.includes('admin');
  const isStaff = isAdmin || scope.includes('edit');
  const page = useMemo(
    () => ({ ...editor, language, setLanguage, isStaff, isAdmin }),
    [editor, language, isStaff, isAdmin],
  );
  const { admin, parts, status, saver, question, keepMine, keepTheirs, undo, canUndo } = editor;
  const [history, setHistory] = useState<'never' | 'open' | 'closed'>('never');
  const takeBack = () => {
    const part = undo();
    const text = part && ofLanguage(part);
    if (text) setLanguage(text.language);
  };
  return (
    <EditorContext value={page}>
      <WritersContext value={editor.writers}>
        <AppMantineProvider>
          <ExperimentBar
            experiment={admin}
            acl={['view', 'edit', ...(isAdmin ? ['admin'] : [])]}
            mode="edit"
            end={
              <span>
                {admin.disabled && t('experimentEdit.disabled')}
                {!admin.disabled && t(admin.open ? 'experimentEdit.atOnce' : 'experimentEdit.notOpen')}
              </span>
            }
          >
            <LanguageSegments
              isSmall
              value={language}
              onChange={setLanguage}
              missing={missingLanguages(parts)}
            />
            <SaveState status={status} onRetry={saver.resume} />
            <Writers writers={editor.writers} />
            <UndoAndHistory canUndo={canUndo} onUndo={takeBack} onHistory={() => setHistory('open')} />
            {history !== 'never' && (
              <ExperimentHistory isOpen={history === 'open'} onClose={() => setHistory('closed')} />
            )}
          </ExperimentBar>
          <div className={`tk-container ${classes.root}`}>
            <div className={classes.page}>
              <h1 className="tk-visually-hidden">{t('experimentEdit.pageTitle')}</h1>
              {question && (
                <TwoVersions
                  who={question.who}
                  at={question.at || undefined}
                  mine={wordsOf(parts[question.part])}
                  theirs={wordsOf(partsOf(question.theirs)[question.part])}
                  onKeepMine={keepMine}
                  onKeepTheirs={keepTheirs}
                />
              )}
              <Cover />
              <p className={classes.eyebrow}>
                {t('experiments.eyebrow', { id: admin.experiment_id, owner: admin.team[0]?.name ?? '' })}
              </p>
              <TextPart field="title" look="page" />
              <TextPart field="short_description" look="lead" />
              <StageMove />
              <FundingEditor />
              <StoryPart key={language} />
              <TextPart field="results" />
              <TextPart field="adoption" />
              <Off />
            </div>
            <div className={classes.side}>
              <ShowIn />
              <Where />
              <TeamEditor />
              <LinksEditor />
              <TagsEditor />
            </div>
          </div>
        </AppMantineProvider>
      </WritersContext>
    </EditorContext>
  );
}

/** A text of the experiment, in the language that is being written, as large as readers see it. */
function TextPart({ field, look = 'text' }: { field: WordField; look?: 'page' | 'lead' | 'text' }) {
  const { t } = useTranslation();
  const { language, parts, write, leave, refused } = useEditor();
  const name = t(`experimentEdit.part.${field}`);
  const part = `${language}.${field}` as const;
  return (
    <EditPart name={name} id={field} place={part}>
      <TitleField
        label={name}
        look={look}
        hasLines={look === 'text'}
        lang={language}
        value={parts[part]}
        maxLength={longest[field]}
        placeholder={t(`experimentEdit.empty.${field as Exclude<WordField, 'image_alt'>}`)}
        onChange={(value) => write(part, value)}
        onLeave={leave}
      />
      <FieldErrorText error={refused[part]} />
    </EditPart>
  );
}

/** The story, in the language that is being written. */
function StoryPart() {
  const { t } = useTranslation();
  const { language, remounts, parts, write, leave, refused } = useEditor();
  const part = `${language}.json_description` as const;
  return (
    <EditPart name={t('experimentEdit.part.story')} id="json_description" place={part}>
      <RichText
        key={`${part}-${remounts[part] ?? 0}`}
        label={t('experimentEdit.part.story')}
        doc={parts[part]}
        lang={language}
        placeholder={t('experimentEdit.empty.story')}
        pictures="me"
        hasSound
        onChange={(value) => write(part, value)}
        onLeave={leave}
      />
      <FieldErrorText error={refused[part]} />
    </EditPart>
  );
}
