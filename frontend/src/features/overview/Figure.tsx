import classes from './Overview.module.css';

/** A number with what it counts under it. */
export function Figure({ value, words }: { value: string; words: string }) {
  return (
    <p className={classes.figure}>
      <b>{value}</b>
      <span>{words}</span>
    </p>
  );
}
