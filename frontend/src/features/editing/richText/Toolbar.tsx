import { useEditorState, type Editor } from '@tiptap/react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import {
  BoldIcon,
  BulletListIcon,
  FilmIcon,
  ItalicIcon,
  LinkIcon,
  OrderedListIcon,
  PhotoIcon,
  RedoIcon,
  UndoIcon,
} from '../../../ui/editIcons';
import { IconButton } from '../../../ui/IconButton';
import classes from './RichText.module.css';
import { useToolbarKeys } from './useToolbarKeys';

/** The tools that open a dialog. */
export type DialogTool = 'link' | 'picture' | 'video';

export interface ToolbarProps {
  editor: Editor;
  /** The text's accessible name, which is part of the toolbar's. */
  label: string;
  onOpenDialog: (what: DialogTool) => void;
}

interface Tool {
  name: 'bold' | 'italic' | 'h2' | 'h3' | 'bulletList' | 'orderedList' | DialogTool | 'undo' | 'redo';
  icon: ReactNode;
  run: () => void;
  /** Undefined for tools that are not toggles. */
  isPressed?: boolean;
  isOff?: boolean;
}

/** The formatting toolbar. Alt+F10 moves the focus from the text to it, Escape back. */
export function Toolbar({ editor, label, onOpenDialog }: ToolbarProps) {
  const { t } = useTranslation();
  const { toolbar, keysOf } = useToolbarKeys(() => editor.commands.focus());
  const is = useEditorState({
    editor,
    selector: ({ editor: now }) => ({
      bold: now.isActive('bold'),
      italic: now.isActive('italic'),
      h2: now.isActive('heading', { level: 2 }),
      h3: now.isActive('heading', { level: 3 }),
      bulletList: now.isActive('bulletList'),
      orderedList: now.isActive('orderedList'),
      link: now.isActive('link'),
      canUndo: now.can().undo(),
      canRedo: now.can().redo(),
    }),
  });
  const act = () => editor.chain().focus();
  const groups: readonly (readonly Tool[])[] = [
    [
      { name: 'bold', icon: <BoldIcon />, isPressed: is.bold, run: () => act().toggleBold().run() },
      { name: 'italic', icon: <ItalicIcon />, isPressed: is.italic, run: () => act().toggleItalic().run() },
    ],
    [
      { name: 'h2', icon: 'H2', isPressed: is.h2, run: () => act().toggleHeading({ level: 2 }).run() },
      { name: 'h3', icon: 'H3', isPressed: is.h3, run: () => act().toggleHeading({ level: 3 }).run() },
      {
        name: 'bulletList',
        icon: <BulletListIcon />,
        isPressed: is.bulletList,
        run: () => act().toggleBulletList().run(),
      },
      {
        name: 'orderedList',
        icon: <OrderedListIcon />,
        isPressed: is.orderedList,
        run: () => act().toggleOrderedList().run(),
      },
    ],
    [
      { name: 'link', icon: <LinkIcon />, isPressed: is.link, run: () => onOpenDialog('link') },
      { name: 'picture', icon: <PhotoIcon />, run: () => onOpenDialog('picture') },
      { name: 'video', icon: <FilmIcon />, run: () => onOpenDialog('video') },
    ],
    [
      { name: 'undo', icon: <UndoIcon />, isOff: !is.canUndo, run: () => act().undo().run() },
      { name: 'redo', icon: <RedoIcon />, isOff: !is.canRedo, run: () => act().redo().run() },
    ],
  ];
  let place = 0;
  return (
    <div
      ref={toolbar}
      role="toolbar"
      aria-label={t('editing.text.toolbar', { label })}
      className={classes.toolbar}
    >
      {groups.map((tools) => (
        <div key={tools[0]?.name} className={classes.group}>
          {tools.map((tool) => (
            <IconButton
              key={tool.name}
              look="tool"
              label={t(`editing.text.tool.${tool.name}`)}
              icon={tool.icon}
              aria-pressed={tool.isPressed}
              // Not `disabled`, which would lose the focus of whoever has pressed it.
              aria-disabled={tool.isOff ? true : undefined}
              onClick={tool.isOff ? undefined : tool.run}
              // Keeps the focus and the selection in the text.
              onMouseDown={(event) => event.preventDefault()}
              {...keysOf(place++)}
            />
          ))}
        </div>
      ))}
    </div>
  );
}
