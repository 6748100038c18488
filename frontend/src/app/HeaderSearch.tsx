import { useNavigate } from 'react-router-dom';
import { paths } from '../domain/paths';
import { useLanguage } from '../i18n';
import { SearchField } from '../ui/SearchField';

/** The header's search field. Leads to the campaigns page, with the keyword in its address. */
export function HeaderSearch() {
  const language = useLanguage();
  const navigate = useNavigate();
  return (
    <SearchField look="pill" onSearch={(keyword) => void navigate(paths.campaigns(language, { keyword }))} />
  );
}
