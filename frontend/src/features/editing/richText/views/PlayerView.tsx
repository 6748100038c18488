import { NodeViewWrapper, type ReactNodeViewProps } from '@tiptap/react';
import { useTranslation } from 'react-i18next';
import { FilmIcon } from '../../../../ui/editIcons';
import classes from './views.module.css';

/** A video or sound player in the text. It is not loaded while one writes; the page shows it. */
export function PlayerView({ node, selected }: ReactNodeViewProps) {
  const { t } = useTranslation();
  const src = String(node.attrs.src ?? '');
  return (
    <NodeViewWrapper className={classes.piece} data-selected={selected ? true : undefined}>
      <div className={classes.player} contentEditable={false} data-drag-handle="">
        <FilmIcon />
        <span className={classes.words}>
          <b>{t(node.type.name === 'video' ? 'editing.text.video' : 'editing.text.player')}</b>
          <span className={classes.address}>{src}</span>
        </span>
      </div>
    </NodeViewWrapper>
  );
}
