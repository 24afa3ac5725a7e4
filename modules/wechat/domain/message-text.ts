/** `{name}` and its like, filled in; what is not known becomes empty. */
export const fillIn = (text: string, values: Readonly<Record<string, string | undefined>>): string =>
  text.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '')
