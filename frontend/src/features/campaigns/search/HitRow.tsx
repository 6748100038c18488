import type { ReactNode } from 'react';
import { CardTitle } from '../../../ui/CardTitle';
import { Picture } from '../../../ui/Picture';
import { hasMarks } from '../../../domain/marks';
import { Marked } from './Marked';
import classes from './HitRow.module.css';

export interface HitRowProps {
  to: string;
  title: string;
  /** What is said below the title, if the words of the search are in it or nothing else is there. */
  text: string;
  /** Who and where. */
  by?: string;
  picture: string;
  /** Of a person: round. */
  isPerson?: boolean;
  /** Of title and text, if it is not the page's. */
  lang?: string;
  marks: readonly string[];
  facts?: ReactNode;
  end?: ReactNode;
  look?: 'wide' | 'half';
}

/** A hit as a row: picture, title and text, how it is doing. The whole row is one link. */
export function HitRow(hit: HitRowProps) {
  const { to, title, text, by, picture, isPerson, lang, marks, facts, end, look = 'wide' } = hit;
  return (
    <li className={`${classes.root} ${classes[look]} ${isPerson ? classes.person : ''}`}>
      <Picture
        name={picture}
        alt=""
        ratio={isPerson ? 1 : 1.6}
        widths={isPerson ? [56, 112] : [132, 264]}
        sizes={isPerson ? '3.5rem' : '8.25rem'}
        shape={isPerson ? 'round' : 'thumb'}
        className={isPerson ? classes.face : classes.picture}
      />
      <div>
        <CardTitle to={to} lang={lang} className={classes.title}>
          <Marked text={title} marks={marks} />
        </CardTitle>
        <p className={classes.text}>
          {by && !hasMarks(text, marks) ? (
            <Marked text={by} marks={marks} />
          ) : (
            <span lang={lang}>
              <Marked text={text} marks={marks} />
            </span>
          )}
        </p>
      </div>
      {facts && <div className={classes.facts}>{facts}</div>}
      {end && <div className={classes.end}>{end}</div>}
    </li>
  );
}
