import { useRef, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { paths } from '../domain/paths';
import { useLanguage } from '../i18n';
import { lazyComponent } from '../ui/lazyComponent';
import { SearchField } from '../ui/SearchField';
import classes from './Header.module.css';

const Suggestions = lazyComponent(
  () => import(/* webpackChunkName: "search-suggestions" */ '../features/campaigns/search/Suggestions'),
);

/** The header's search field, with suggestions below it. Leads to the search page. */
export function HeaderSearch() {
  const language = useLanguage();
  const navigate = useNavigate();
  const field = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState<string>();
  const search = (q: string) => {
    setTyped(undefined);
    void navigate(paths.search(language, { q }));
  };
  return (
    <div className={classes.search}>
      <SearchField
        look="pill"
        name="q"
        action={paths.search(language)}
        input={field}
        onType={setTyped}
        onSearch={search}
      />
      {typed !== undefined && <Suggestions field={field} typed={typed} onDone={() => setTyped(undefined)} />}
    </div>
  );
}
