import { useTranslation } from 'react-i18next';
import type { ExperimentMember } from '../../api/content';
import { Picture } from '../../ui/Picture';
import classes from './TeamList.module.css';

/** Who does an experiment, the owner first. */
export function TeamList({ team }: { team: readonly ExperimentMember[] }) {
  const { t } = useTranslation();
  return (
    <section aria-labelledby="team">
      <h2 id="team" className={classes.title}>
        {t('experiments.team')}
      </h2>
      <ul className={classes.list}>
        {team.map(({ user_id, name, image, short_description }) => (
          <li key={user_id} className={classes.member}>
            <Picture
              name={image}
              alt=""
              ratio={1}
              widths={[80, 160]}
              sizes="2.75rem"
              shape="round"
              className={classes.face}
            />
            <div>
              <p className={classes.name}>{name}</p>
              <p className={classes.text}>{short_description}</p>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}
