import { Link } from 'react-router-dom';
import classes from './MoneyPage.module.css';

export interface TabsProps {
  label: string;
  tabs: readonly { to: string; name: string; isCurrent: boolean }[];
}

/** The two lists of a part, each at its address. */
export function Tabs({ label, tabs }: TabsProps) {
  return (
    <nav aria-label={label} className={classes.parts}>
      {tabs.map(({ to, name, isCurrent }) => (
        <Link key={to} to={to} aria-current={isCurrent ? 'true' : undefined}>
          {name}
        </Link>
      ))}
    </nav>
  );
}
