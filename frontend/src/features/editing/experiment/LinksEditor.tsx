import { useTranslation } from 'react-i18next';
import { linkKind } from '../../../domain/links';
import { Button } from '../../../ui/Button';
import { TrashIcon } from '../../../ui/editIcons';
import { PlusIcon } from '../../../ui/icons';
import { TextField } from '../../../ui/fields';
import { IconButton } from '../../../ui/IconButton';
import { LinkKindIcon } from '../../../ui/LinkKindIcon';
import { FieldErrorText } from '../campaign/FieldErrorText';
import { SidePanel } from '../campaign/SidePanel';
import classes from './ExperimentEditor.module.css';
import { useWriting } from './useExperimentWriting';

/** The experiment's links: an address each, whose icon follows from it. */
export function LinksEditor() {
  const { t } = useTranslation();
  const { parts, write, set, leave, refused } = useWriting();
  const { links } = parts;
  return (
    <SidePanel title={t('experimentEdit.links.title')} id="links">
      <ul className={classes.rows}>
        {links.map(({ url }, place) => {
          const kind = linkKind(url);
          const row = t('experimentEdit.links.row', { row: place + 1 });
          return (
            <li key={place} className={classes.row}>
              <span role="img" aria-label={t(`experimentEdit.links.kind.${kind}`)}>
                <LinkKindIcon address={url} />
              </span>
              <TextField
                aria-label={`${t('experimentEdit.links.address')}, ${row}`}
                label={undefined}
                className={classes.wide}
                maxLength={2_000}
                value={url.replace(/^mailto:/, '')}
                onChange={({ currentTarget }) =>
                  write('links', links.with(place, { url: currentTarget.value, title: '' }))
                }
                onBlur={leave}
              />
              <IconButton
                label={t('experimentEdit.links.remove', { row: place + 1 })}
                icon={<TrashIcon />}
                onClick={() => set('links', links.toSpliced(place, 1))}
              />
            </li>
          );
        })}
      </ul>
      <FieldErrorText error={refused.links} />
      {links.length < 20 && (
        <div>
          <Button
            variant="transparent"
            size="sm"
            className={classes.add}
            leftSection={<PlusIcon size={16} />}
            onClick={() => write('links', [...links, { url: '', title: '' }])}
          >
            {t('experimentEdit.links.add')}
          </Button>
        </div>
      )}
    </SidePanel>
  );
}
