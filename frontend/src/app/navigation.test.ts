import { ariaCurrentOf, mainNavigation, reviewNavigation } from './navigation';

test.each([
  ['/en/campaigns/', ['page', undefined, undefined]],
  ['/en/', ['true', undefined, undefined]],
  ['/en/3/hoyry/', ['true', undefined, undefined]],
  ['/en/3/hoyry/posts/1/', ['true', undefined, undefined]],
  ['/en/3/review/', ['true', undefined, undefined]],
  ['/en/3/hoyry/edit/', [undefined, undefined, undefined]],
  ['/en/3/hoyry/overview/', [undefined, undefined, undefined]],
  ['/en/3/hoyry/posts/1/edit/', [undefined, undefined, undefined]],
  ['/en/experiments/1/hylly/', [undefined, 'true', undefined]],
  ['/en/review/', [undefined, undefined, 'page']],
  ['/en/3/hoyry/review/', [undefined, undefined, 'true']],
])('at %s the links to campaigns, experiments and reviews are current: %s', (pathname, expected) => {
  const items = [...mainNavigation, reviewNavigation];
  expect(items.map((item) => ariaCurrentOf(item, 'en', pathname))).toEqual(expected);
});
