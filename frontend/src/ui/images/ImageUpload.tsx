import { useEffect, useId, useRef, useState, type ReactNode, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import type { PictureOf, StoredPicture } from '../../api/upload';
import type { Fault } from '../../domain/rules';
import { isTransient, type ApiError } from '../../api/apiError';
import { useErrorText } from '../../i18n/errorText';
import { Button } from '../Button';
import { UploadIcon } from '../editIcons';
import { FaultText } from '../FaultText';
import { FileButton } from '../FileButton';
import { AlertCircleIcon, RefreshIcon } from '../icons';
import { TextButton } from '../TextButton';
import { CropDialog } from './CropDialog';
import type { Crop } from './crop';
import classes from './ImageUpload.module.css';
import { cropPicture, faultOf, openPicture, pictureTypes, type LocalPicture } from './picture';
import { useUpload } from './useUpload';

export interface ImageUploadProps {
  /** Whose file it becomes. */
  of: PictureOf;
  /** The current picture, as it is to be shown; undefined if there is none. */
  children?: ReactNode;
  /** Pictures are cropped to this ratio (width over height); without it they are not cropped. */
  ratio?: number;
  /** The least width, in pixels. */
  minWidth?: number;
  /** The picture fills the width, with the buttons below it. */
  isWide?: boolean;
  /** A person's picture: small, with the buttons beside it. */
  isSmall?: boolean;
  /** Which kind of picture is wanted. */
  help?: ReactNode;
  onStored: (picture: StoredPicture) => void;
  onRemove?: () => void;
  /** A file that was dropped or pasted elsewhere. It is taken at once, as if it had been chosen here. */
  first?: File;
}

/**
 * Uploads a picture: it is chosen or dropped, cropped, and sent with a progress bar. After a failure, such as an
 * expired session, the same picture can be retried.
 */
export function ImageUpload(props: ImageUploadProps) {
  const { of, children, ratio, minWidth = 1, isWide, isSmall, help, onStored, onRemove, first } = props;
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

  const discardChosen = () => {
    if (chosen) URL.revokeObjectURL(chosen.url);
    setChosen(undefined);
  };
  const isCut = useRef(false);
  const cut = async (picture: LocalPicture, crop: Crop | undefined) => {
    isCut.current = true;
    discardChosen();
    send(crop ? await cropPicture(picture, crop) : picture.file);
  };

  // The dialog returns the focus to the button that opened it, but that is not mounted during the upload.
  const isSending = state.is === 'sending';
  useEffect(() => {
    if (!isCut.current) return;
    place.current?.querySelector<HTMLElement>(isSending ? 'button' : 'input[type=file]')?.focus();
    isCut.current = isSending;
  }, [isSending]);

  return (
    <div ref={place} className={classes.root}>
      {children && (
        <div className={isWide ? classes.wide : isSmall ? classes.small : classes.picture}>{children}</div>
      )}
      <div className={classes.side}>
        {isSending ? (
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
        {!fault && state.is === 'failed' && mayPass(state.error) && (
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
          picture={chosen}
          ratio={ratio}
          minWidth={minWidth}
          onCrop={(crop) => chosen && void cut(chosen, crop)}
          onClose={discardChosen}
        />
      )}
    </div>
  );
}

/** Whether the same picture may be taken the next time. What is wrong with it stays so. */
const mayPass = (error: ApiError) => isTransient(error) || error.http === 401;

/** Accepts a file that is dropped on an element. The file button is the way for everybody else. */
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
