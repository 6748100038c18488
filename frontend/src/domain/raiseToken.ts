/** The token of the page that pays a change of a pledge: of who is signed in it is the charge's id alone. */
export const raiseToken = (raiseId: string, orderToken: string | undefined): string =>
  ['change', raiseId, ...(orderToken === undefined ? [] : [orderToken])].join('.');

/** The further charge and its key, if any, of such a token; undefined of another one. */
export function raiseOf(token: string): { raiseId: string; orderToken: string | undefined } | undefined {
  const [, raiseId, orderToken] = /^change\.([0-9a-z]{26})(?:\.(\d+\.[\w-]{20,100}))?$/.exec(token) ?? [];
  return raiseId === undefined ? undefined : { raiseId, orderToken };
}
