import type { PayWords } from './payWords';
import classes from './ChargedBand.module.css';

export interface ChargedBandProps {
  words: PayWords;
  /** What else is said of the sum. */
  note?: string;
  /** Formatted. */
  sum: string;
}

/** What is charged, and when, on the band over the pay button. */
export function ChargedBand({ words, note, sum }: ChargedBandProps) {
  return (
    <div className={classes.root}>
      <div>
        <p className={classes.now}>{words.band}</p>
        {words.when && <p className={classes.note}>{words.when}</p>}
        {note && <p className={classes.note}>{note}</p>}
      </div>
      <p className={classes.total}>{sum}</p>
    </div>
  );
}
