import { EditorContent, useEditor, type JSONContent } from '@tiptap/react';
import { useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { createPortal } from 'react-dom';
import { useTranslation } from 'react-i18next';
import type { PictureOf } from '../../../api/upload';
import { AddButton } from './AddButton';
import { TextContext } from './context';
import { toDoc, toEditor, type Doc, type DocNode } from './document';
import { insertPiece } from './insertPiece';
import { makeExtensions, previewEnd as previewEndKey } from './extensions';
import { LinkDialog } from './LinkDialog';
import { cleanPaste } from './paste';
import { PictureDialog, type PictureAttrs } from './PictureDialog';
import classes from './RichText.module.css';
import { Toolbar, type Asked } from './Toolbar';
import { VideoDialog } from './VideoDialog';

export interface RichTextEditorProps {
  /** Names the text for who does not see it. */
  label: string;
  /** What it begins with. Another `key` begins anew. */
  doc: Doc;
  /** The language of the text. */
  lang: string;
  onChange: (doc: Doc) => void;
  /** The text is left: what waits can be saved. */
  onLeave?: () => void;
  /** Whose files pictures go to. */
  pictures: PictureOf;
  /** Sound players may be put in, besides videos. */
  hasSound?: boolean;
  placeholder: string;
  /** The line at which the preview ends, below the first paragraph. */
  previewEnd?: ReactNode;
}

/** Formatted text as it will stand on the page, with its toolbar. Stands in a <AppMantineProvider>. */
export default function RichTextEditor(props: RichTextEditorProps) {
  const { label, doc, lang, onChange, onLeave, pictures, hasSound = false, placeholder, previewEnd } = props;
  const { t } = useTranslation();
  const [asked, setAsked] = useState<Asked>();
  const [file, setFile] = useState<File>();
  const root = useRef<HTMLDivElement>(null);
  // The editor is made once; what it calls changes with each drawing.
  const latest = useRef({ onChange, onLeave });
  const told = useRef(JSON.stringify(toDoc(toEditor(doc))));
  useEffect(() => {
    latest.current = { onChange, onLeave };
  });

  const takeFile = (files: FileList | undefined) => {
    const picture = [...(files ?? [])].find(({ type }) => type.startsWith('image/'));
    if (!picture) return false;
    setFile(picture);
    setAsked('picture');
    return true;
  };
  const editor = useEditor({
    extensions: makeExtensions(placeholder),
    content: toEditor(doc) as JSONContent,
    shouldRerenderOnTransaction: false,
    editorProps: {
      attributes: { role: 'textbox', 'aria-multiline': 'true', 'aria-label': label, lang, class: 'tk-story' },
      transformPastedHTML: cleanPaste,
      // A picture comes with its own upload; Office puts one beside its text, which is what is meant then.
      handlePaste: (_, { clipboardData }) =>
        !clipboardData?.getData('text/html') && takeFile(clipboardData?.files),
      handleDrop: (_, { dataTransfer }) => takeFile(dataTransfer?.files),
      handleKeyDown: (_, event) => {
        if (event.altKey && event.key === 'F10')
          root.current?.querySelector<HTMLElement>('[role=toolbar] [tabindex="0"]')?.focus();
        else if ((event.ctrlKey || event.metaKey) && event.key === 'k') setAsked('link');
        else return false;
        event.preventDefault();
        return true;
      },
    },
    onUpdate: ({ editor: changed }) => {
      const next = toDoc(changed.getJSON() as DocNode);
      const written = JSON.stringify(next);
      // The editor also tells of what only it sees, such as the empty line at the end.
      if (written === told.current) return;
      told.current = written;
      latest.current.onChange(next);
    },
    onBlur: () => latest.current.onLeave?.(),
  });

  const hasLine = Boolean(previewEnd);
  const [line] = useState(makeLine);
  useEffect(() => {
    editor.view.dispatch(editor.state.tr.setMeta(previewEndKey, hasLine ? line : null));
  }, [editor, hasLine, line]);

  const close = () => {
    setAsked(undefined);
    setFile(undefined);
  };
  const insert = (node: { type: string; attrs: object }) => {
    insertPiece(editor, node);
    close();
  };
  const surroundings = useMemo(() => ({ pictures, hasSound }), [pictures, hasSound]);
  return (
    <TextContext value={surroundings}>
      <div ref={root} className={classes.root}>
        <Toolbar editor={editor} label={label} onAsk={setAsked} />
        <div className={classes.paper}>
          <EditorContent editor={editor} />
          <AddButton editor={editor} onAsk={setAsked} />
        </div>
        {createPortal(previewEnd, line)}
        <LinkDialog editor={editor} isOpen={asked === 'link'} onClose={close} />
        <PictureDialog
          isOpen={asked === 'picture'}
          first={file}
          onDone={(attrs: PictureAttrs) => insert({ type: 'figure', attrs })}
          onClose={close}
        />
        <VideoDialog
          isOpen={asked === 'video'}
          onDone={({ type, src }) => insert({ type, attrs: { src } })}
          onClose={close}
        />
        <p className="tk-visually-hidden">{t('editing.text.keys')}</p>
      </div>
    </TextContext>
  );
}

/** The line's element lives in the text but is no part of it. */
function makeLine(): HTMLElement {
  const line = document.createElement('div');
  line.contentEditable = 'false';
  return line;
}
