import { firstThatFits } from './picture';

const megabytes = (size: number, type: string) =>
  Object.defineProperty(new Blob([], { type }), 'size', { value: size * 1024 * 1024 });

// What a browser writes: Safari gives PNG when it is asked for WebP.
test.each([
  ['image/jpeg', 30, 'image/jpeg'],
  ['image/png', 3, 'image/png'],
  ['image/png', 26, 'image/jpeg'],
  ['image/webp', 3, 'image/webp'],
  ['image/webp', 26, 'image/jpeg'],
  ['image/gif', 1, 'image/png'],
  ['image/gif', 40, 'image/jpeg'],
])('a cropped %s that is %i MB in its own type is sent as %s', async (source, size, sent) => {
  const written: string[] = [];
  const picture = await firstThatFits(source, (type) => {
    written.push(type);
    return Promise.resolve(megabytes(written.length > 1 ? 4 : size, type));
  });
  expect(picture.type).toBe(sent);
  expect(written).toHaveLength(sent === written[0] ? 1 : 2);
});
