import { NodeViewWrapper, type ReactNodeViewProps } from '@tiptap/react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { frameSource } from '../../../../domain/video';
import { Button } from '../../../../ui/Button';
import { FilmIcon, ReplaceIcon } from '../../../../ui/editIcons';
import { AlertCircleIcon } from '../../../../ui/icons';
import { VideoDialog } from '../VideoDialog';
import classes from './views.module.css';

/** The placeholder of a video or audio player. The editor does not load the player itself; the page does. */
export function PlayerView({ node, editor, getPos, updateAttributes, selected }: ReactNodeViewProps) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const src = String(node.attrs.src ?? '');
  return (
    <NodeViewWrapper className={classes.piece} data-selected={selected ? true : undefined}>
      <div className={classes.player} contentEditable={false} data-drag-handle="">
        <FilmIcon />
        <span className={classes.words}>
          <b>{t(node.type.name === 'video' ? 'editing.text.video' : 'editing.text.player')}</b>
          {src && <span className={classes.address}>{src}</span>}
        </span>
        <Button
          size="sm"
          variant="outline"
          className={classes.replace}
          leftSection={<ReplaceIcon size={16} />}
          onClick={() => setOpen(true)}
        >
          {t(src ? 'editing.text.replace' : 'editing.text.add')}
        </Button>
      </div>
      {!frameSource(src) && (
        <p className={classes.warning} contentEditable={false}>
          <AlertCircleIcon size={16} />
          {t(src ? 'editing.text.notPlayable' : 'editing.text.noAddress')}
        </p>
      )}
      <VideoDialog
        isOpen={isOpen}
        onDone={({ type, src: next }) => {
          setOpen(false);
          const pos = getPos();
          if (type === node.type.name) updateAttributes({ src: next });
          if (type === node.type.name || pos === undefined) return;
          editor
            .chain()
            .focus()
            .insertContentAt({ from: pos, to: pos + node.nodeSize }, { type, attrs: { src: next } })
            .run();
        }}
        onClose={() => setOpen(false)}
      />
    </NodeViewWrapper>
  );
}
