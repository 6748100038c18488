import type { ReactNode } from 'react';
import classes from './ModeBar.module.css';
import { ModeSwitch, type ModeSwitchProps } from './ModeSwitch';

export interface ModeBarProps extends ModeSwitchProps {
  /** Beside the modes: languages, whether it is saved. */
  children?: ReactNode;
  /** At the end: where the campaign stands, and the next step. */
  end?: ReactNode;
  /** Under the bar, such as a failure; read out. */
  alert?: ReactNode;
}

/** The bar above a campaign's page for its team: in which mode one is, and what that mode has. */
export default function ModeBar({ children, end, alert, ...modes }: ModeBarProps) {
  return (
    <div className={classes.root} data-mode={modes.mode}>
      <div className={`tk-container ${classes.inner}`}>
        <div className={classes.modes}>
          <ModeSwitch {...modes} />
        </div>
        {children}
        {end && <div className={classes.end}>{end}</div>}
      </div>
      <div role="alert" className={`tk-container ${classes.alert}`}>
        {alert}
      </div>
    </div>
  );
}
