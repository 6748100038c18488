import { useTranslation } from 'react-i18next';
import type { Link } from '../../../api/content';
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
import { useEditor } from './useExperimentEditor';

/** The experiment's links: what each is called, or else its address, and the icon that follows from the address. */
export function LinksEditor() {
  const { t } = useTranslation();
  const { parts, write, set, leave, refused } = useEditor();
  const { links } = parts;
  const change = (place: number, part: Partial<Link>) =>
    write(
      'links',
      links.map((link, at) => (at === place ? { ...link, ...part } : link)),
    );
  return (
    <SidePanel title={t('experimentEdit.links.title')} id="links">
      <ul className={classes.rows}>
        {links.map(({ url, title }, place) => {
          const kind = linkKind(url);
          const row = t('experimentEdit.links.row', { row: place + 1 });
          return (
            <li key={place} className={classes.link}>
              <div className={classes.row}>
                <span role="img" aria-label={t(`experimentEdit.links.kind.${kind}`)}>
                  <LinkKindIcon address={url} />
                </span>
                <TextField
                  aria-label={`${t('experimentEdit.links.address')}, ${row}`}
                  label={t('experimentEdit.links.address')}
                  className={classes.wide}
                  inputMode="url"
                  autoCapitalize="none"
                  maxLength={2_000}
                  value={url.replace(/^mailto:/, '')}
                  onChange={({ currentTarget }) => change(place, { url: currentTarget.value })}
                  onBlur={leave}
                />
                <IconButton
                  label={
                    title
                      ? t('experimentEdit.links.removeThis', { title })
                      : t('experimentEdit.links.remove', { row: place + 1 })
                  }
                  icon={<TrashIcon />}
                  onClick={() => set('links', links.toSpliced(place, 1))}
                />
              </div>
              <TextField
                aria-label={`${t('experimentEdit.links.name')}, ${row}`}
                label={t('experimentEdit.links.name')}
                isOptional
                maxLength={100}
                value={title}
                onChange={({ currentTarget }) => change(place, { title: currentTarget.value })}
                onBlur={leave}
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
