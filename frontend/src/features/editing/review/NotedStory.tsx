import { useCallback, useLayoutEffect, useRef, useState } from 'react';
import { Story } from '../../../ui/Story';
import classes from './NotedStory.module.css';
import { NotedPart, type NotedPartProps } from './NotedPart';
import { Pin } from './Pin';
import { findQuote, highlight } from './quote';

/** The quote of a note on the story, with the note's number. */
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
  /** The campaign's title, for the accessible names of its videos. */
  title: string;
  lang?: string;
  /** The numbers of the notes on the story as a whole. */
  pins: NotedPartProps['pins'];
  quotes: readonly Quoted[];
  /** Begins a note on the selected words; without a selection on the whole story, with an empty quote. */
  onNote?: (quote: string) => void;
}

/** The story with its notes: quoted words are highlighted, and the blocks around them get a frame and a pin. */
export function NotedStory({ html, title, lang, pins, quotes, onNote }: NotedStoryProps) {
  const frame = useRef<HTMLDivElement>(null);
  const [boxes, setBoxes] = useState<readonly Box[]>([]);
  const wanted = JSON.stringify(quotes);

  const measure = useCallback(() => {
    const story = frame.current?.querySelector('.tk-story');
    const blocks = [...(story?.querySelectorAll<HTMLElement>(':scope > *') ?? [])];
    const ranges: Range[] = [];
    const found = (JSON.parse(wanted) as Quoted[]).flatMap((one) => {
      const range = story && findQuote(story, one.quote);
      const within = blocks.filter((block) => range?.intersectsNode(block));
      const [first, last] = [within[0], within.at(-1)];
      if (!range || !first || !last) return [];
      ranges.push(range);
      const top = first.offsetTop;
      return [{ ...one, top, height: last.offsetTop + last.offsetHeight - top }];
    });
    highlight(ranges);
    setBoxes((old) => (JSON.stringify(old) === JSON.stringify(found) ? old : found));
  }, [wanted]);
  useLayoutEffect(() => {
    // The blocks move when pictures load and when the window is resized.
    const observer = new ResizeObserver(measure);
    if (frame.current) observer.observe(frame.current);
    measure();
    return () => {
      observer.disconnect();
      highlight([]);
    };
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
        <Story html={html} title={title} />
        {boxes.map(({ number, top, height }) => (
          <div key={number} className={classes.box} style={{ top: top - 10, height: height + 20 }}>
            <Pin number={number} />
          </div>
        ))}
      </div>
    </NotedPart>
  );
}
