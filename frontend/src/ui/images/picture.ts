import type { Fault } from '../../domain/rules';
import type { Crop, Size } from './crop';

/** The types that the server accepts, for <input accept>. */
export const pictureTypes = 'image/jpeg,image/png,image/gif,image/webp';

/** In bytes; the server's bound. */
const maxBytes = 25 * 1024 * 1024;

/** A picture on this device that is not uploaded yet. */
export interface LocalPicture extends Size {
  file: Blob;
  /** An object URL for <img>. The owner revokes it with `URL.revokeObjectURL`. */
  url: string;
}

/** The fault of a file that can be told without decoding it: its type or its size. */
export function faultOf({ type, size }: Blob): Fault | undefined {
  if (!pictureTypes.split(',').includes(type)) return { key: 'image' };
  return size > maxBytes ? { key: 'size', params: { kilobytes: maxBytes / 1024 } } : undefined;
}

/** Decodes a file. Returns a fault if it is not a picture, or is smaller than `minWidth` pixels at `ratio`. */
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
    return { key: 'image' }; // The browser cannot decode it, whatever type it claims.
  }
}

/** JPEG quality from 0 to 1: no visible loss at about a third of the size. */
const quality = 0.9;

/** Crops a picture into a new file. */
export async function cropPicture({ file }: LocalPicture, { left, top, width, height }: Crop): Promise<Blob> {
  const bitmap = await createImageBitmap(file, left, top, width, height);
  const canvas = document.createElement('canvas');
  Object.assign(canvas, { width, height });
  const context = canvas.getContext('2d');
  context?.drawImage(bitmap, 0, 0);
  bitmap.close();
  return firstThatFits(file.type, (type) => {
    if (type === 'image/jpeg' && context) {
      context.globalCompositeOperation = 'destination-over'; // What is transparent would be black in a JPEG.
      context.fillStyle = 'white';
      context.fillRect(0, 0, width, height);
    }
    return new Promise((resolve, reject) => {
      canvas.toBlob(
        (blob) => (blob ? resolve(blob) : reject(new Error('The picture was not drawn.'))),
        type,
        quality,
      );
    });
  });
}

/**
 * Writes a picture in the type of its file, which keeps sharp edges and transparency; as JPEG if that is more than the server
 * takes: a photo in WebP of 2 MB is 30 MB as PNG, which some browsers write instead.
 */
export async function firstThatFits(source: string, write: (type: string) => Promise<Blob>): Promise<Blob> {
  const own = ['image/jpeg', 'image/webp'].includes(source) ? source : 'image/png';
  const picture = await write(own);
  return picture.size > maxBytes && own !== 'image/jpeg' ? write('image/jpeg') : picture;
}
