import { screen } from '@testing-library/react';
import { http } from 'msw';
import { aUser } from '../../../test/builders';
import { renderAt } from '../../../test/render';
import { content, refusal, server } from '../../../test/server';

afterEach(() => jest.restoreAllMocks());

test('on a phone the row of own pages shows the page that is open', async () => {
  server.use(
    http.get(content('/users/me/profile'), () => refusal('unavailable', 503)),
    http.get(content('/users/me/pledges/:language/'), () => refusal('unavailable', 503)),
  );
  const left = (element: HTMLElement) => (element.hasAttribute('aria-current') ? 400 : 20);
  jest.spyOn(HTMLElement.prototype, 'offsetLeft', 'get').mockImplementation(function (this: HTMLElement) {
    return left(this);
  });
  jest.spyOn(HTMLElement.prototype, 'offsetWidth', 'get').mockReturnValue(100);
  jest.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(300);
  await renderAt('/en/profile/me/pledges/', { user: aUser() });
  const row = (await screen.findByRole('link', { name: 'Your pledges', current: 'page' })).closest('ul');
  expect(row?.scrollLeft).toBe(280);
});
