import { useParams } from 'react-router-dom';
import { notFound, type PageLoaderArgs } from '../../ui/page';
import { Accounts } from './Accounts';
import { AdminFrame } from './AdminFrame';
import { adminSections } from './sections';
import { Trail } from './Trail';

const sectionOf = (name: string | undefined) => adminSections.find((one) => one === name);

export function load({ params }: PageLoaderArgs) {
  if (!sectionOf(params.section)) throw notFound();
}

/** What admins do: people and the audit trail. */
export function Component() {
  const section = sectionOf(useParams().section) ?? 'people';
  return <AdminFrame section={section}>{section === 'people' ? <Accounts /> : <Trail />}</AdminFrame>;
}
