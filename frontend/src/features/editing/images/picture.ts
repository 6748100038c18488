import type { Fault } from '../../../domain/rules';
import type { Crop, Size } from './crop';

/** What the server takes, as in <input accept>. */
export const pictureTypes = 'image/jpeg,image/png,image/gif,image/webp';

/** Bytes; the server's own bound. */
const maxBytes = 25 * 1024 * 1024;

/** A picture of this device that is looked at before it leaves. */
export interface LocalPicture extends Size {
  file: Blob;
  /** An address for <img>; to be given back with `URL.revokeObjectURL`. */
  url: string;
}

/** What is wrong with a file before it is opened. */
export function faultOf({ type, size }: Blob): Fault | undefined {
  if (!pictureTypes.split(',').includes(type)) return { key: 'image' };
  return size > maxBytes ? { key: 'size', params: { kilobytes: maxBytes / 1024 } } : undefined;
}

/** Opens a file; gives the fault of one that is no picture, or too small for the place (width in pixels). */
export async function openPicture(
  file: Blob,
  minWidth: number,
  ratio?: number,
): Promise<LocalPicture | Fault> {
  try {
    const bitmap = await createImageBitmap(file);
    const { width, height } = bitmap;
    bitmap.close();
    const minHeight = ratio ? Math.round(minWidth / ratio) : 1;
    if (width < minWidth || height < minHeight)
      return { key: 'dimensions', params: { width: minWidth, height: minHeight } };
    return { file, width, height, url: URL.createObjectURL(file) };
  } catch {
    return { key: 'image' }; // The browser cannot read it: it only has a picture's name.
  }
}

/** Good enough that nobody sees the difference, at a third of the size. */
const quality = 0.9;

/** The part of a picture as a file of its own. Drawings keep their sharp edges and see-through parts. */
export async function cutOut({ file }: LocalPicture, { left, top, width, height }: Crop): Promise<Blob> {
  const bitmap = await createImageBitmap(file, left, top, width, height);
  const canvas = document.createElement('canvas');
  Object.assign(canvas, { width, height });
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0);
  bitmap.close();
  const type = file.type === 'image/jpeg' ? 'image/jpeg' : 'image/png';
  return new Promise((resolve, reject) => {
    canvas.toBlob(
      (blob) => (blob ? resolve(blob) : reject(new Error('The picture was not drawn.'))),
      type,
      quality,
    );
  });
}
