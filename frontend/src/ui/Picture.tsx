import type { CSSProperties } from 'react';
import classes from './Picture.module.css';

export interface PictureProps {
  /** File name under /media. */
  name: string;
  /** Empty for a decorative picture. */
  alt: string;
  /** Width over height of the crop. */
  ratio: number;
  /** Widths offered, in pixels; ascending. */
  widths: readonly number[];
  /** How wide it is shown, as in <img sizes>. */
  sizes: string;
  /** The first picture of a page: loaded eagerly, with high priority. */
  isFirst?: boolean;
  /** 'cover' radius 16 · 'thumb' radius 10 · 'round' for people · 'none' edge to edge. */
  shape?: 'cover' | 'thumb' | 'round' | 'none';
  className?: string;
  style?: CSSProperties;
}

/** The address of an uploaded picture, cropped to this size by the server. */
export function mediaUrl(name: string, width: number, height: number): string {
  return `/media/${width}x${height}/${encodeURIComponent(name)}`;
}

/** A responsive image that reserves its space while it loads. */
export function Picture(props: PictureProps) {
  const { name, alt, ratio, widths, sizes, isFirst = false, shape = 'cover', className = '', style } = props;
  const largest = widths.at(-1) ?? 800;
  const heightOf = (width: number) => Math.round(width / ratio);
  return (
    <img
      src={mediaUrl(name, largest, heightOf(largest))}
      srcSet={widths.map((width) => `${mediaUrl(name, width, heightOf(width))} ${width}w`).join(', ')}
      sizes={sizes}
      width={largest}
      height={heightOf(largest)}
      alt={alt}
      loading={isFirst ? 'eager' : 'lazy'}
      fetchPriority={isFirst ? 'high' : undefined}
      decoding="async"
      className={`${classes.root} ${classes[shape]} ${className}`}
      style={style}
    />
  );
}
