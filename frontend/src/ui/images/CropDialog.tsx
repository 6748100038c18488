import { useState, type PointerEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../Button';
import { Dialog } from '../Dialog';
import { RangeField } from '../RangeField';
import { cropOf, isWhole, maxZoom, clampedView, initialView, type Crop, type View } from './crop';
import classes from './CropDialog.module.css';
import type { LocalPicture } from './picture';

export interface CropDialogProps {
  /** The picture to crop. Without one the dialog is closed. */
  picture?: LocalPicture;
  /** Of the crop: width over height. */
  ratio: number;
  /** The least width of the crop, in pixels. */
  minWidth: number;
  /** Called with undefined if the whole picture is to be used. */
  onCrop: (crop: Crop | undefined) => void;
  onClose: () => void;
}

/** Crops a picture: by dragging it, or with sliders, which work by keyboard, too. */
export function CropDialog({ picture, ratio, minWidth, onCrop, onClose }: CropDialogProps) {
  const { t } = useTranslation();
  return (
    <Dialog isOpen={picture !== undefined} onClose={onClose} title={t('editing.picture.cropTitle')} isWide>
      {picture && <Cropper key={picture.url} {...{ picture, ratio, minWidth, onCrop, onClose }} />}
    </Dialog>
  );
}

function Cropper({
  picture,
  ratio,
  minWidth,
  onCrop,
  onClose,
}: { picture: LocalPicture } & Omit<CropDialogProps, 'picture'>) {
  const { t } = useTranslation();
  const [view, setView] = useState<View>(initialView);
  const crop = cropOf(picture, ratio, view);
  const change = (next: Partial<View>) => setView((old) => clampedView(picture, ratio, { ...old, ...next }));
  const drag = (event: PointerEvent<HTMLDivElement>) => {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
    // From screen pixels to pixels of the picture, so that it follows the pointer.
    const scale = crop.width / event.currentTarget.clientWidth;
    change({
      x: view.x - (event.movementX * scale) / picture.width,
      y: view.y - (event.movementY * scale) / picture.height,
    });
  };
  const zoomMax = maxZoom(picture, ratio, minWidth);
  return (
    <>
      <div
        className={classes.frame}
        style={{ aspectRatio: ratio }}
        onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
        onPointerMove={drag}
      >
        <img
          src={picture.url}
          alt=""
          draggable={false}
          style={{
            width: `${(picture.width / crop.width) * 100}%`,
            left: `${(-crop.left / crop.width) * 100}%`,
            top: `${(-crop.top / crop.height) * 100}%`,
          }}
        />
      </div>
      {zoomMax > 1 && (
        <RangeField
          label={t('editing.picture.zoom')}
          value={view.zoom}
          min={1}
          max={zoomMax}
          step={0.05}
          onChange={(zoom) => change({ zoom })}
        />
      )}
      {picture.width > crop.width && (
        <RangeField
          label={t('editing.picture.across')}
          value={view.x}
          min={0}
          max={1}
          step={0.01}
          onChange={(x) => change({ x })}
        />
      )}
      {picture.height > crop.height && (
        <RangeField
          label={t('editing.picture.down')}
          value={view.y}
          min={0}
          max={1}
          step={0.01}
          onChange={(y) => change({ y })}
        />
      )}
      <div className={classes.acts}>
        <Button variant="transparent" onClick={onClose}>
          {t('editing.picture.cancel')}
        </Button>
        <Button onClick={() => onCrop(isWhole(crop, picture) ? undefined : crop)}>
          {t('editing.picture.use')}
        </Button>
      </div>
    </>
  );
}
