import table from '../../../services/content/internal/writing/richtext/testdata/players.json';
import { playerAddress } from './playerAddress';
import { frameSource } from './video';

// The server's tests read the same table.
test.each(table.players)('$typed is taken', ({ typed, player, page }) => {
  const found = playerAddress(typed);
  expect(found?.address).toBe(found?.isSound ? player : page);
  // What is kept, and the player that the server makes of it, play the same.
  const source = frameSource(player);
  expect(source).toMatchObject({ page });
  expect(frameSource(found?.address ?? '')).toEqual(source);
});

test.each(table.none)('"%s" is neither video nor sound', (typed) => {
  expect(playerAddress(typed)).toBeUndefined();
});
