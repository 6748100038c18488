/** A rectangle of a picture, in its pixels. */
export interface Crop {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** In pixels. */
export interface Size {
  width: number;
  height: number;
}

/** Which part of a picture is shown: its centre, each coordinate from 0 to 1, and the zoom (1: the largest crop). */
export interface View {
  x: number;
  y: number;
  zoom: number;
}

/** The largest crop, in the middle. */
export const initialView: View = { x: 0.5, y: 0.5, zoom: 1 };

/** The greatest zoom, however large the picture is. */
const zoomLimit = 4;

const clamp = (value: number, min: number, max: number) => Math.min(Math.max(value, min), Math.max(min, max));

/** The width of the largest crop of this ratio (width over height). */
const widest = ({ width, height }: Size, ratio: number) => Math.min(width, height * ratio);

/** The greatest zoom at which the crop is at least `minWidth` pixels wide, from 1 to 4. */
export function maxZoom(picture: Size, ratio: number, minWidth: number): number {
  return clamp(widest(picture, ratio) / minWidth, 1, zoomLimit);
}

/** The crop of this ratio that a view shows. It never extends beyond the picture. */
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

/** Moves the centre of a view so far that its crop fits; otherwise dragging beyond the edge would accumulate. */
export function clampedView(picture: Size, ratio: number, view: View): View {
  const width = widest(picture, ratio) / view.zoom / picture.width / 2;
  const height = widest(picture, ratio) / view.zoom / ratio / picture.height / 2;
  return { ...view, x: clamp(view.x, width, 1 - width), y: clamp(view.y, height, 1 - height) };
}

/** Whether a crop is the whole picture, within 2 pixels of rounding. Then the file is uploaded as it is. */
export function isWhole({ left, top, width, height }: Crop, picture: Size): boolean {
  return left <= 1 && top <= 1 && picture.width - width <= 2 && picture.height - height <= 2;
}
