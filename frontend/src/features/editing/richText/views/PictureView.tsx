import { NodeViewWrapper, type ReactNodeViewProps } from '@tiptap/react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../../ui/Button';
import { AltTextIcon, ReplaceIcon } from '../../../../ui/editIcons';
import { TextField } from '../../../../ui/fields';
import { AlertCircleIcon } from '../../../../ui/icons';
import { PictureDialog, type PictureAttrs } from '../PictureDialog';
import { pictureAddress } from '../pictureAddress';
import classes from './views.module.css';

/** A picture in the text, with buttons to replace and describe it, and its caption. */
export function PictureView({ node, updateAttributes, selected }: ReactNodeViewProps) {
  const { t } = useTranslation();
  const attrs = node.attrs as PictureAttrs;
  const [isOpen, setOpen] = useState(false);
  const set = (next: PictureAttrs) => {
    updateAttributes(next);
    setOpen(false);
  };
  return (
    <NodeViewWrapper className={classes.piece} data-selected={selected ? true : undefined}>
      <div className={classes.picture} data-drag-handle="" data-no-alt={attrs.alt?.trim() ? undefined : true}>
        <img src={pictureAddress(attrs.src)} alt={attrs.alt ?? ''} />
        <div className={classes.acts} contentEditable={false}>
          <Button
            size="sm"
            variant="outline"
            leftSection={<AltTextIcon size={16} />}
            onClick={() => setOpen(true)}
          >
            {t('editing.text.altText')}
          </Button>
          <Button
            size="sm"
            variant="outline"
            leftSection={<ReplaceIcon size={16} />}
            onClick={() => setOpen(true)}
          >
            {t('editing.text.replace')}
          </Button>
        </div>
        {!attrs.alt && (
          <p className={classes.warning} contentEditable={false}>
            <AlertCircleIcon size={16} />
            {t('editing.text.noAlt')}
          </p>
        )}
      </div>
      {node.type.name === 'figure' && (
        <div contentEditable={false}>
          <TextField
            label={undefined}
            aria-label={t('editing.text.caption')}
            placeholder={t('editing.text.caption')}
            value={attrs.caption ?? ''}
            onChange={({ currentTarget }) => updateAttributes({ caption: currentTarget.value })}
          />
        </div>
      )}
      <PictureDialog isOpen={isOpen} attrs={attrs} onDone={set} onClose={() => setOpen(false)} />
    </NodeViewWrapper>
  );
}
