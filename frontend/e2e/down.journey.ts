import { expectAccessible, loses, sees } from './checks';
import { desktop, journey } from './journey';

const unavailable = {
  status: 503,
  contentType: 'application/json',
  body: JSON.stringify({ status: 'unavailable', message: '', request_id: 'journey' }),
};

journey('when a list does not come, the page says so and tries again', desktop, async ({ page, faults }) => {
  faults.expect(/\/content\//, 503);
  await page.goto('/info/money/');
  await page.route(/\/content\/.*(preview|categories)/, (route) => route.fulfill(unavailable));

  await page.getByRole('banner').getByRole('link', { name: 'Kokeilut' }).click();
  await sees(page.getByRole('heading', { level: 1, name: 'Kokeilut' }));
  await sees(page.getByRole('button', { name: 'Yritä uudelleen' }));
  await expectAccessible(page);

  await page.getByRole('banner').getByRole('link', { name: 'Kampanjat' }).click();
  await sees(page.getByRole('heading', { level: 1, name: 'Kampanjat' }));
  await sees(page.getByRole('button', { name: 'Yritä uudelleen' }));
  await expectAccessible(page);

  await page.getByRole('link', { name: 'Talkoot, etusivulle' }).first().click();
  await sees(page.getByRole('heading', { level: 1 }));
  await sees(page.getByRole('button', { name: 'Yritä uudelleen' }));
  await expectAccessible(page);

  await page.unroute(/\/content\/.*(preview|categories)/);
  const retry = page.getByRole('button', { name: 'Yritä uudelleen' });
  for (let left = await retry.count(); left > 0; left -= 1) await retry.last().click();
  await loses(retry);
  await sees(page.getByRole('region', { name: 'Rahoituksessa nyt' }).getByRole('article'));
});
