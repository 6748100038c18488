import type { ReactNode } from 'react';
import type { CampaignHold } from '../../api/content';
import { HoldNote } from './HoldNote';
import classes from './ModeBar.module.css';
import { ModeSwitch, type ModeSwitchProps } from './ModeSwitch';

export interface ModeBarProps extends ModeSwitchProps {
  /** Next to the modes, such as the languages and whether everything is saved. */
  children?: ReactNode;
  /** At the right end: the campaign's status and the next action. */
  end?: ReactNode;
  /** A message below the bar, such as a failure; announced to screen readers. */
  alert?: ReactNode;
  /** Of a campaign that is on hold or was stopped. */
  held?: CampaignHold;
}

/** The bar above a campaign's page for its team and staff: the switch of modes, and what the current mode adds. */
export default function ModeBar({ children, end, alert, held, ...modes }: ModeBarProps) {
  return (
    <div className={classes.root} data-mode={modes.mode}>
      <div className={`tk-container ${classes.inner}`}>
        <div className={classes.modes}>
          <ModeSwitch {...modes} />
        </div>
        <HoldNote held={held} />
        {children}
        {end && <div className={classes.end}>{end}</div>}
      </div>
      <div role="alert" className={`tk-container ${classes.alert}`}>
        {alert}
      </div>
    </div>
  );
}
