import { screen } from '@testing-library/react';
import { aCampaign } from '../../../../test/builders';
import { serveCampaign } from '../../../../test/campaigns';
import { renderAt } from '../../../../test/render';

const settings = { contact_email: 'hoyry@pielavesi.example' };

test('a visitor can write to the creator, whose address is shown on a press', async () => {
  serveCampaign(aCampaign({ settings }));
  const { pointer } = await renderAt('/en/3/hoyry/');
  const write = await screen.findByRole('button', { name: 'Write to the creator' });
  expect(screen.queryByText(settings.contact_email)).toBeNull();
  await pointer.click(write);
  expect(screen.getByRole('link', { name: settings.contact_email })).toHaveAttribute(
    'href',
    expect.stringMatching(/^mailto:hoyry@pielavesi\.example\?subject=/),
  );
});

test('a campaign without an address offers nothing', async () => {
  serveCampaign(aCampaign({ settings: { contact_email: '' } }));
  await renderAt('/en/3/hoyry/');
  await screen.findByRole('heading', { level: 1 });
  expect(screen.queryByRole('button', { name: 'Write to the creator' })).toBeNull();
});
