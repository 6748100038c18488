import pages from './pages.generated.json';
import { pageModules } from './routes';

test('every page that the server paints has its code in the app, and the other way round', () => {
  expect(Object.keys(pageModules).sort()).toEqual(pages.map(({ name }) => name).sort());
});
