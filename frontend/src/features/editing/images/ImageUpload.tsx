import { useEffect, useId, useRef, useState, type ReactNode, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import type { PictureOf, StoredPicture } from '../../../api/upload';
import type { Fault } from '../../../domain/rules';
import { useErrorText } from '../../../i18n/errorText';
import { Button } from '../../../ui/Button';
import { UploadIcon } from '../../../ui/editIcons';
import { FaultText } from '../../../ui/FaultText';
import { FileButton } from '../../../ui/FileButton';
import { AlertCircleIcon, RefreshIcon } from '../../../ui/icons';
import { TextButton } from '../../../ui/TextButton';
import { CropDialog } from './CropDialog';
import type { Crop } from './crop';
import classes from './ImageUpload.module.css';
import { cutOut, faultOf, openPicture, pictureTypes, type LocalPicture } from './picture';
import { useUpload } from './useUpload';

export interface ImageUploadProps {
  /** Whose files it goes to. */
  of: PictureOf;
  /** The picture that is there, as it is to be shown; none without it. */
  children?: ReactNode;
  /** Width over height to which it is cut; without one it stays as it is. */
  ratio?: number;
  /** In pixels. */
  minWidth?: number;
  /** The picture fills the width, and what one does with it stands below. */
  isWide?: boolean;
  /** What kind of picture is wanted, in words. */
  help?: ReactNode;
  onStored: (picture: StoredPicture) => void;
  onRemove?: () => void;
  /** A file that was dropped or pasted elsewhere: it begins with this one. */
  first?: File;
}

/**
 * A picture's place: choose or drop one, cut it, see it go. A failure says why and keeps the picture for another try, also
 * when the session has ended meanwhile.
 */
export function ImageUpload(props: ImageUploadProps) {
  const { of, children, ratio, minWidth = 1, isWide, help, onStored, onRemove, first } = props;
  const { t } = useTranslation();
  const errorText = useErrorText();
  const helpId = useId();
  const place = useRef<HTMLDivElement>(null);
  const [fault, setFault] = useState<Fault>();
  const [chosen, setChosen] = useState<LocalPicture>();
  const { state, send, cancel } = useUpload(of, onStored);

  const take = async (file: File) => {
    const opened = faultOf(file) ?? (await openPicture(file, minWidth, ratio));
    if ('key' in opened) {
      setFault(opened);
      return;
    }
    setFault(undefined);
    if (ratio) {
      setChosen(opened);
    } else {
      URL.revokeObjectURL(opened.url);
      send(file);
    }
  };
  useDroppedFile(place, (file) => void take(file));
  const isTaken = useRef(false);
  useEffect(() => {
    if (!first || isTaken.current) return;
    isTaken.current = true;
    void take(first);
  });

  const putAway = () => {
    if (chosen) URL.revokeObjectURL(chosen.url);
    setChosen(undefined);
  };
  const cut = async (picture: LocalPicture, crop: Crop | undefined) => {
    putAway();
    send(crop ? await cutOut(picture, crop) : picture.file);
  };

  return (
    <div ref={place} className={classes.root}>
      {children && <div className={isWide ? classes.wide : classes.picture}>{children}</div>}
      <div className={classes.side}>
        {state.is === 'sending' ? (
          <div className={classes.sending}>
            <progress
              className={classes.bar}
              value={state.part}
              max={1}
              aria-label={t('editing.picture.sending')}
            />
            <TextButton look="aside" onPress={cancel}>
              {t('editing.picture.cancel')}
            </TextButton>
          </div>
        ) : (
          <div className={classes.acts}>
            <FileButton accept={pictureTypes} icon={<UploadIcon />} onFile={(file) => void take(file)}>
              {t(children ? 'editing.picture.replace' : 'editing.picture.choose')}
            </FileButton>
            {children && onRemove && (
              <Button variant="transparent" color="danger" onClick={onRemove}>
                {t('editing.picture.remove')}
              </Button>
            )}
          </div>
        )}
        <p id={helpId} className={classes.help}>
          {help} {t('editing.picture.drop')}
        </p>
        <div role="alert">
          {(fault ?? state.is === 'failed') && (
            <p className={classes.error}>
              <AlertCircleIcon size={16} />
              <span>
                {fault ? (
                  <FaultText fault={fault} />
                ) : (
                  state.is === 'failed' && errorText(state.error, 'ImageUpload')
                )}
              </span>
            </p>
          )}
        </div>
        {!fault && state.is === 'failed' && (
          <Button
            variant="outline"
            size="sm"
            leftSection={<RefreshIcon size={16} />}
            onClick={() => send(state.file)}
          >
            {t('action.retry')}
          </Button>
        )}
      </div>
      {ratio && (
        <CropDialog
          key={chosen?.url}
          picture={chosen}
          ratio={ratio}
          minWidth={minWidth}
          onCut={(crop) => chosen && void cut(chosen, crop)}
          onClose={putAway}
        />
      )}
    </div>
  );
}

/** Takes the file that is dropped on a place. The button beside it does the same. */
function useDroppedFile(place: RefObject<HTMLElement | null>, onFile: (file: File) => void) {
  useEffect(() => {
    const element = place.current;
    if (!element) return undefined;
    const allow = (event: DragEvent) => {
      event.preventDefault();
      element.dataset.over = 'true';
    };
    const leave = () => delete element.dataset.over;
    const drop = (event: DragEvent) => {
      event.preventDefault();
      leave();
      const file = event.dataTransfer?.files[0];
      if (file) onFile(file);
    };
    element.addEventListener('dragover', allow);
    element.addEventListener('dragleave', leave);
    element.addEventListener('drop', drop);
    return () => {
      element.removeEventListener('dragover', allow);
      element.removeEventListener('dragleave', leave);
      element.removeEventListener('drop', drop);
    };
  });
}
