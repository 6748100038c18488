import { useCallback, useLayoutEffect, useRef, useState } from 'react';
import { Story } from '../../../ui/Story';
import classes from './NotedStory.module.css';
import { NotedPart, type NotedPartProps } from './NotedPart';
import { Pin } from './Pin';

/** A note on words of the story, with its number. */
export interface Quoted {
  number: number;
  quote: string;
}

interface Box extends Quoted {
  top: number;
  height: number;
}

export interface NotedStoryProps {
  html: string;
  lang?: string;
  /** The numbers of the notes on the story as a whole. */
  pins: NotedPartProps['pins'];
  quotes: readonly Quoted[];
  /** Begins a note on the words that are selected, or else on the whole story: an empty quote. */
  onNote?: (quote: string) => void;
}

/** The story with its notes: the block that has the quoted words is framed, and has the pin. */
export function NotedStory({ html, lang, pins, quotes, onNote }: NotedStoryProps) {
  const frame = useRef<HTMLDivElement>(null);
  const [boxes, setBoxes] = useState<readonly Box[]>([]);
  const wanted = JSON.stringify(quotes);

  const measure = useCallback(() => {
    const blocks = [...(frame.current?.querySelectorAll<HTMLElement>('.tk-story > *') ?? [])];
    const found = (JSON.parse(wanted) as Quoted[]).flatMap((one) => {
      const block = blocks.find(({ textContent }) => textContent.includes(one.quote));
      return block ? [{ ...one, top: block.offsetTop, height: block.offsetHeight }] : [];
    });
    setBoxes((old) => (JSON.stringify(old) === JSON.stringify(found) ? old : found));
  }, [wanted]);
  useLayoutEffect(() => {
    // The story moves when its pictures come and when the window changes.
    const observer = new ResizeObserver(measure);
    if (frame.current) observer.observe(frame.current);
    measure();
    return () => observer.disconnect();
  }, [measure, html]);

  const selected = () => {
    const selection = window.getSelection();
    const isHere = selection?.anchorNode && frame.current?.contains(selection.anchorNode);
    return isHere ? selection.toString().trim() : '';
  };
  const missing = quotes.filter(({ number }) => !boxes.some((box) => box.number === number));
  return (
    <NotedPart
      part="story"
      pins={[...pins, ...missing.map(({ number }) => number)]}
      onNote={onNote && (() => onNote(selected()))}
    >
      <div ref={frame} lang={lang} className={classes.frame}>
        <Story html={html} />
        {boxes.map(({ number, top, height }) => (
          <div key={number} className={classes.box} style={{ top: top - 10, height: height + 20 }}>
            <Pin number={number} />
          </div>
        ))}
      </div>
    </NotedPart>
  );
}
