/** The id in what was typed: a number, or an address of the platform whose path has one; undefined without. */
export function idIn(typed: string): number | undefined {
  const text = typed.trim();
  const path = /^[a-z]+:\/\//i.test(text) ? text.replace(/^[a-z]+:\/\/[^/]*/i, '') : text;
  const found = /(?:^|\/)(\d{1,15})(?:\/|$|\?|#)/.exec(path);
  const id = Number(found?.[1]);
  return id > 0 ? id : undefined;
}
