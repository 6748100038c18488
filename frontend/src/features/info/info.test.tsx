import { screen } from '@testing-library/react';
import { renderAt } from '../../../test/render';
import en from './en.json';
import fi from './fi.json';
import sv from './sv.json';

test.each([
  ['fi', fi, /avataan myöhemmin/],
  ['en', en, /opens later/],
  ['sv', sv, /öppnar senare/],
])('in %s monthly support is open, and the terms say who runs the service', (_, texts, later) => {
  expect(JSON.stringify(texts)).not.toMatch(later);
  expect(JSON.stringify(texts.terms)).toMatch(/0000000-0/);
  expect(texts.terms.sections).toHaveLength(fi.terms.sections.length);
});

test('the page about beginning leads to the forms, and the footer to the terms', async () => {
  await renderAt('/en/info/start/');
  const main = await screen.findByRole('article');
  expect(main).toBeVisible();
  expect(screen.getByRole('link', { name: 'Start an experiment' })).toHaveAttribute(
    'href',
    '/en/create-experiment/',
  );
  expect(screen.getByRole('link', { name: 'Propose an experiment' })).toHaveAttribute(
    'href',
    '/en/create-experiment/',
  );
  expect(screen.getByRole('link', { name: 'Terms' })).toHaveAttribute('href', '/en/info/terms/');
});
