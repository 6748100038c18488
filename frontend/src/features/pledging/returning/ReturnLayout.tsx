import type { ReactNode } from 'react';
import type { Pledge } from '../../../api/pledging';
import { Picture } from '../../../ui/Picture';
import classes from './ReturnLayout.module.css';

export interface ReturnLayoutProps {
  pledge: Pledge;
  tone: 'done' | 'way' | 'refused' | 'asking';
  icon: ReactNode;
  /** In a word or two, over the title. */
  state: string;
  title: ReactNode;
  text: ReactNode;
  /** One filled button at most. */
  ways?: ReactNode;
  /** Under the ways. */
  after?: string;
  /** Under the campaign, at the right. */
  children?: ReactNode;
  /** What to mention when writing to us. */
  foot?: ReactNode;
}

/** An outcome of a payment: what it is, what to do now, and beside it the campaign and what comes next. */
export function ReturnLayout(props: ReturnLayoutProps) {
  const { pledge, tone, icon, state, title, text, ways, after, children, foot } = props;
  const { campaign, lines } = pledge;
  return (
    <div className={`tk-container ${classes.root}`}>
      <div className={classes.said}>
        <div role="status">
          <p className={classes.state} data-tone={tone}>
            {icon}
            {state}
          </p>
          <h1 className={classes.title}>{title}</h1>
          <p className="tk-lead">{text}</p>
        </div>
        {ways && <div className={classes.ways}>{ways}</div>}
        {after !== undefined && <p className={classes.after}>{after}</p>}
      </div>
      <div className={classes.panel}>
        <div className={classes.campaign}>
          <Picture
            name={campaign.project_pic}
            alt=""
            ratio={1}
            widths={[64, 128]}
            sizes="4rem"
            shape="thumb"
            className={classes.cover}
          />
          <div>
            <h2 className={classes.name}>{campaign.title}</h2>
            <p className={classes.line}>{lines[0]?.label}</p>
          </div>
        </div>
        {children}
        {foot !== undefined && <p className={classes.foot}>{foot}</p>}
      </div>
    </div>
  );
}
