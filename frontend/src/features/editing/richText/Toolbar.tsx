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

/** What opens a dialog of its own. */
export type Asked = 'link' | 'picture' | 'video';

export interface ToolbarProps {
  editor: Editor;
  /** Of the text, for who hears the toolbar's name. */
  label: string;
  onAsk: (what: Asked) => void;
}

interface Tool {
  name: 'bold' | 'italic' | 'h2' | 'h3' | 'bulletList' | 'orderedList' | Asked | 'undo' | 'redo';
  icon: ReactNode;
  run: () => void;
  /** Only of what stays pressed. */
  isPressed?: boolean;
  isOff?: boolean;
}

/** The formats of a text. Alt+F10 leads into it from the text, Escape back. */
export function Toolbar({ editor, label, onAsk }: ToolbarProps) {
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
      { name: 'link', icon: <LinkIcon />, isPressed: is.link, run: () => onAsk('link') },
      { name: 'picture', icon: <PhotoIcon />, run: () => onAsk('picture') },
      { name: 'video', icon: <FilmIcon />, run: () => onAsk('video') },
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
              // Not disabled: the focus of who presses it must not vanish.
              aria-disabled={tool.isOff ? true : undefined}
              onClick={tool.isOff ? undefined : tool.run}
              // The selection in the text stays while the toolbar is pressed.
              onMouseDown={(event) => event.preventDefault()}
              {...keysOf(place++)}
            />
          ))}
        </div>
      ))}
    </div>
  );
}
