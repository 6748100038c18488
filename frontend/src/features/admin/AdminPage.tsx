import { useParams } from 'react-router-dom';
import { notFound, type PageLoaderArgs } from '../../ui/page';
import { Accounts } from './Accounts';
import { AdminFrame } from './AdminFrame';
import { Campaigns } from './campaigns/Campaigns';
import { HomePicks } from './home/HomePicks';
import { Categories } from './labels/Categories';
import { Tags } from './labels/Tags';
import { adminSections, type AdminSection } from './sections';
import { StaffClaims } from './StaffClaims';
import { Trail } from './Trail';

const sectionOf = (name: string | undefined) => adminSections.find((one) => one === name);

const screens: Readonly<Record<AdminSection, () => React.JSX.Element>> = {
  campaigns: Campaigns,
  categories: Categories,
  tags: Tags,
  home: HomePicks,
  claims: StaffClaims,
  people: Accounts,
  audit: Trail,
};

export function load({ params }: PageLoaderArgs) {
  if (!sectionOf(params.section)) throw notFound();
}

/** What admins do: campaigns, their categories and tags, the home page, people and the audit trail. */
export function Component() {
  const section = sectionOf(useParams().section) ?? 'campaigns';
  const Screen = screens[section];
  return (
    <AdminFrame section={section}>
      <Screen />
    </AdminFrame>
  );
}
