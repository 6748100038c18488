import pages from './pages.generated.json';
import { pageModules } from './routes';

test('the server’s page table and the app’s page modules name the same pages', () => {
  expect(Object.keys(pageModules).sort()).toEqual(pages.map(({ name }) => name).sort());
});
