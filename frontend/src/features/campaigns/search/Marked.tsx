import { markedParts } from '../../../domain/marks';
import classes from './Marked.module.css';

export interface MarkedProps {
  text: string;
  /** Of the search's answer. */
  marks: readonly string[];
}

/** A text with the words of a search underlined. */
export function Marked({ text, marks }: MarkedProps) {
  return markedParts(text, marks).map((part, place) =>
    part.isMarked ? (
      <mark key={place} className={classes.mark}>
        {part.text}
      </mark>
    ) : (
      part.text
    ),
  );
}
