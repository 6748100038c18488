import { useEditorState, type Editor } from '@tiptap/react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { BulletListIcon, FilmIcon, PhotoIcon } from '../../../ui/editIcons';
import { IconButton } from '../../../ui/IconButton';
import { PlusIcon } from '../../../ui/icons';
import classes from './RichText.module.css';
import type { DialogTool } from './Toolbar';

export interface AddButtonProps {
  editor: Editor;
  onOpenDialog: (what: DialogTool) => void;
}

/** A button in the margin beside an empty paragraph, which offers pictures, videos, lists and headings. */
export function AddButton({ editor, onOpenDialog }: AddButtonProps) {
  const { t } = useTranslation();
  const [openAt, setOpenAt] = useState<number>();
  const line = useEditorState({
    editor,
    selector: ({ editor: now }) => emptyLine(now),
    equalityFn: (a, b) => a?.pos === b?.pos && a?.top === b?.top,
  });
  if (!line) return null;
  const isOpen = openAt === line.pos;
  const close = (then: () => void) => () => {
    setOpenAt(undefined);
    then();
  };
  return (
    <div className={classes.add} style={{ top: line.top }}>
      <IconButton
        look="ring"
        label={t('editing.text.addHere')}
        icon={<PlusIcon size={16} />}
        aria-expanded={isOpen}
        onClick={() => setOpenAt(isOpen ? undefined : line.pos)}
      />
      {isOpen && (
        <div className={classes.offers} role="group" aria-label={t('editing.text.addHere')}>
          <IconButton
            look="tool"
            label={t('editing.text.tool.picture')}
            icon={<PhotoIcon />}
            onClick={close(() => onOpenDialog('picture'))}
          />
          <IconButton
            look="tool"
            label={t('editing.text.tool.video')}
            icon={<FilmIcon />}
            onClick={close(() => onOpenDialog('video'))}
          />
          <IconButton
            look="tool"
            label={t('editing.text.tool.bulletList')}
            icon={<BulletListIcon />}
            onClick={close(() => editor.chain().focus().toggleBulletList().run())}
          />
          <IconButton
            look="tool"
            label={t('editing.text.tool.h2')}
            icon="H2"
            onClick={close(() => editor.chain().focus().toggleHeading({ level: 2 }).run())}
          />
        </div>
      )}
    </div>
  );
}

/** The empty paragraph that has the cursor, and its distance from the top in pixels. */
function emptyLine(editor: Editor): { pos: number; top: number } | undefined {
  const { $from, empty } = editor.state.selection;
  if (!empty || $from.depth !== 1 || $from.parent.type.name !== 'paragraph' || $from.parent.content.size > 0)
    return undefined;
  const pos = $from.before(1);
  const element = editor.view.nodeDOM(pos);
  return { pos, top: element instanceof HTMLElement ? element.offsetTop : 0 };
}
