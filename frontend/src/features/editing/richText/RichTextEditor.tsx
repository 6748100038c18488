import { DOMParser, type Slice } from '@tiptap/pm/model';
import { EditorContent, useEditor, type JSONContent } from '@tiptap/react';
import { useCallback, useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { createPortal } from 'react-dom';
import { useTranslation } from 'react-i18next';
import type { PictureOf } from '../../../api/upload';
import { useNotify } from '../../../ui/notify';
import { AddButton } from './AddButton';
import { RichTextContext } from './context';
import { toDoc, toEditor, type Doc, type DocNode } from './document';
import { insertBlock } from './insertBlock';
import { makeExtensions, previewEnd as previewEndKey } from './extensions';
import type { TextArrivals } from '../merge/textMerge';
import { LinkDialog } from './LinkDialog';
import { cleanPaste, isOnePicture, type CleanPaste } from './paste';
import { listsInText } from './pasteText';
import { PictureDialog, type PictureAttrs } from './PictureDialog';
import classes from './RichText.module.css';
import { Toolbar, type DialogTool } from './Toolbar';
import { useArrivals } from './useArrivals';
import { VideoDialog } from './VideoDialog';

export interface RichTextEditorProps {
  /** The text's accessible name. */
  label: string;
  /** The initial document. Later changes of this prop are ignored; change the component's `key` to replace the text. */
  doc: Doc;
  /** The language of the text. */
  lang: string;
  onChange: (doc: Doc) => void;
  /** Called when the text loses the focus, to save it. */
  onLeave?: () => void;
  /** Whose files pictures become. */
  pictures: PictureOf;
  /** Whether audio players can be inserted, too. */
  hasSound?: boolean;
  /** Shown in an empty text. */
  placeholder: string;
  /** The placeholder is also shown in an empty paragraph at the end. */
  hasPlaceholderAtEnd?: boolean;
  /** Shown below the first paragraph, where the preview of the text ends. */
  previewEnd?: ReactNode;
  /** Others' changes of the text while it is open. */
  arrivals?: TextArrivals;
}

/** Edits rich text that looks as it will on the page, with a toolbar. Needs an AppMantineProvider around it. */
export default function RichTextEditor(props: RichTextEditorProps) {
  const { label, doc, lang, onChange, onLeave, pictures, hasSound = false, placeholder } = props;
  const { hasPlaceholderAtEnd = false, previewEnd, arrivals } = props;
  const { t } = useTranslation();
  const notify = useNotify();
  const [openDialog, setOpenDialog] = useState<DialogTool>();
  const [file, setFile] = useState<File>();
  const root = useRef<HTMLDivElement>(null);
  // The editor is created once, while the callbacks change with each render.
  const tellLeft = ({ pictures: left, players }: CleanPaste) => {
    if (left > 0) {
      const title = t('editing.text.leftPictures', { count: left });
      notify({ tone: 'info', title, text: t('editing.text.leftPicturesText') });
    }
    if (players > 0) notify({ tone: 'info', title: t('editing.text.leftPlayers', { count: players }) });
  };
  const latest = useRef({ onChange, onLeave, tellLeft });
  const lastReported = useRef(JSON.stringify(toDoc(toEditor(doc))));
  useEffect(() => {
    latest.current = { onChange, onLeave, tellLeft };
  });

  const takeFile = (files: FileList | undefined) => {
    const picture = [...(files ?? [])].find(({ type }) => type.startsWith('image/'));
    if (!picture) return false;
    setFile(picture);
    setOpenDialog('picture');
    return true;
  };
  const editor = useEditor({
    extensions: makeExtensions(placeholder, hasSound, hasPlaceholderAtEnd),
    content: toEditor(doc) as JSONContent,
    shouldRerenderOnTransaction: false,
    editorProps: {
      attributes: { role: 'textbox', 'aria-multiline': 'true', 'aria-label': label, lang, class: 'tk-story' },
      transformPastedHTML: (html) => {
        const clean = cleanPaste(html, hasSound);
        latest.current.tellLeft(clean);
        return clean.html;
      },
      // Without the shift key, which pastes letter by letter.
      clipboardTextParser: (text, context, plain, view) => {
        const lists = plain ? undefined : listsInText(text);
        // Undefined has ProseMirror read the text, which its type does not say.
        if (!lists) return undefined as unknown as Slice;
        return DOMParser.fromSchema(view.state.schema).parseSlice(lists, { context });
      },
      // A pasted picture is uploaded. Not if there are words, too: Office adds a picture of the copied text.
      handlePaste: (_, { clipboardData }) => {
        const html = clipboardData?.getData('text/html') ?? '';
        return (!html || isOnePicture(html)) && takeFile(clipboardData?.files);
      },
      handleDrop: (_, { dataTransfer }) => takeFile(dataTransfer?.files),
      handleKeyDown: (_, event) => {
        if (event.altKey && event.key === 'F10')
          root.current?.querySelector<HTMLElement>('[role=toolbar] [tabindex="0"]')?.focus();
        else if ((event.ctrlKey || event.metaKey) && event.key === 'k') setOpenDialog('link');
        else return false;
        event.preventDefault();
        return true;
      },
    },
    onUpdate: ({ editor: changed }) => {
      const next = toDoc(changed.getJSON() as DocNode);
      const written = JSON.stringify(next);
      // Some updates do not change the document, such as the trailing empty paragraph.
      if (written === lastReported.current) return;
      lastReported.current = written;
      latest.current.onChange(next);
    },
    onBlur: () => latest.current.onLeave?.(),
  });

  const takeOver = useCallback((taken: Doc) => {
    lastReported.current = JSON.stringify(taken);
  }, []);
  const hasLine = Boolean(previewEnd);
  const [line] = useState(makeLine);
  useEffect(() => {
    editor.view.dispatch(editor.state.tr.setMeta(previewEndKey, hasLine ? line : null));
  }, [editor, hasLine, line]);

  const boxes = useArrivals(editor, arrivals, takeOver);
  const close = () => {
    setOpenDialog(undefined);
    setFile(undefined);
  };
  const insert = (node: { type: string; attrs: object }) => {
    insertBlock(editor, node);
    close();
  };
  const settings = useMemo(() => ({ pictures, hasSound }), [pictures, hasSound]);
  return (
    <RichTextContext value={settings}>
      <div ref={root} className={classes.root}>
        <Toolbar editor={editor} label={label} onOpenDialog={setOpenDialog} />
        <div className={classes.paper}>
          <EditorContent editor={editor} />
          <AddButton editor={editor} onOpenDialog={setOpenDialog} />
        </div>
        {createPortal(previewEnd, line)}
        {boxes}
        <LinkDialog editor={editor} isOpen={openDialog === 'link'} onClose={close} />
        <PictureDialog
          isOpen={openDialog === 'picture'}
          first={file}
          onDone={(attrs: PictureAttrs) => insert({ type: 'figure', attrs })}
          onClose={close}
        />
        <VideoDialog
          isOpen={openDialog === 'video'}
          onDone={({ type, src }) => insert({ type, attrs: { src } })}
          onClose={close}
        />
        <p className="tk-visually-hidden">{t('editing.text.keys')}</p>
      </div>
    </RichTextContext>
  );
}

/** The element for `previewEnd`: inside the editor, but not editable. */
function makeLine(): HTMLElement {
  const line = document.createElement('div');
  line.contentEditable = 'false';
  return line;
}
