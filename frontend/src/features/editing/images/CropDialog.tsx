import { useState, type PointerEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../ui/Button';
import { Dialog } from '../../../ui/Dialog';
import { RangeField } from '../../../ui/RangeField';
import { cropOf, isWhole, maxZoom, settled, wholeView, type Crop, type View } from './crop';
import classes from './CropDialog.module.css';
import type { LocalPicture } from './picture';

export interface CropDialogProps {
  /** Closed without one. */
  picture?: LocalPicture;
  ratio: number;
  /** In pixels. */
  minWidth: number;
  /** Without a crop the picture is taken whole. */
  onCut: (crop: Crop | undefined) => void;
  onClose: () => void;
}

/** Chooses the part of a picture: by pushing it, or by the sliders and their arrow keys. */
export function CropDialog({ picture, ratio, minWidth, onCut, onClose }: CropDialogProps) {
  const { t } = useTranslation();
  return (
    <Dialog isOpen={picture !== undefined} onClose={onClose} title={t('editing.picture.cropTitle')}>
      {picture && (
        <Cropper key={picture.url} picture={picture} ratio={ratio} minWidth={minWidth} onCut={onCut} />
      )}
    </Dialog>
  );
}

function Cropper({
  picture,
  ratio,
  minWidth,
  onCut,
}: { picture: LocalPicture } & Omit<CropDialogProps, 'picture' | 'onClose'>) {
  const { t } = useTranslation();
  const [view, setView] = useState<View>(wholeView);
  const crop = cropOf(picture, ratio, view);
  const change = (next: Partial<View>) => setView((old) => settled(picture, ratio, { ...old, ...next }));
  const push = (event: PointerEvent<HTMLDivElement>) => {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
    // The picture follows the finger: as many of its own pixels as the frame's width has on the screen.
    const scale = crop.width / event.currentTarget.clientWidth;
    change({
      x: view.x - (event.movementX * scale) / picture.width,
      y: view.y - (event.movementY * scale) / picture.height,
    });
  };
  const closest = maxZoom(picture, ratio, minWidth);
  return (
    <>
      <div
        className={classes.frame}
        style={{ aspectRatio: ratio }}
        onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
        onPointerMove={push}
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
      {closest > 1 && (
        <RangeField
          label={t('editing.picture.zoom')}
          value={view.zoom}
          min={1}
          max={closest}
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
        <Button onClick={() => onCut(isWhole(crop, picture) ? undefined : crop)}>
          {t('editing.picture.use')}
        </Button>
      </div>
    </>
  );
}
