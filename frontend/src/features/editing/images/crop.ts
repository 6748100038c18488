/** A part of a picture, in its own pixels. */
export interface Crop {
  left: number;
  top: number;
  width: number;
  height: number;
}

export interface Size {
  width: number;
  height: number;
}

/** What is looked at: the middle as parts of the picture (0 to 1), and how much larger than it has to be (1 or more). */
export interface View {
  x: number;
  y: number;
  zoom: number;
}

export const wholeView: View = { x: 0.5, y: 0.5, zoom: 1 };

/** No closer than this, however large the picture is. */
const closest = 4;

const clamp = (value: number, min: number, max: number) => Math.min(Math.max(value, min), Math.max(min, max));

/** The widest crop of this ratio (width over height) that fits. */
const widest = ({ width, height }: Size, ratio: number) => Math.min(width, height * ratio);

/** How close one may look so that the crop is still as wide as needed. */
export function maxZoom(picture: Size, ratio: number, minWidth: number): number {
  return clamp(widest(picture, ratio) / minWidth, 1, closest);
}

/** The crop of this ratio that a view shows, never over the picture's edge. */
export function cropOf(picture: Size, ratio: number, { x, y, zoom }: View): Crop {
  const width = widest(picture, ratio) / zoom;
  const height = width / ratio;
  return {
    left: Math.round(clamp(x * picture.width - width / 2, 0, picture.width - width)),
    top: Math.round(clamp(y * picture.height - height / 2, 0, picture.height - height)),
    width: Math.round(width),
    height: Math.round(height),
  };
}

/** A view whose middle lies where a crop can have it; pushing further does not add up unseen. */
export function settled(picture: Size, ratio: number, view: View): View {
  const width = widest(picture, ratio) / view.zoom / picture.width / 2;
  const height = widest(picture, ratio) / view.zoom / ratio / picture.height / 2;
  return { ...view, x: clamp(view.x, width, 1 - width), y: clamp(view.y, height, 1 - height) };
}

/** Whether a crop is the picture itself: then the file is sent as it is. */
export function isWhole({ left, top, width, height }: Crop, picture: Size): boolean {
  return left <= 1 && top <= 1 && picture.width - width <= 2 && picture.height - height <= 2;
}
