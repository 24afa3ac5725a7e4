/** A path ends in what tells it from its neighbours: 商业街-商业-224 is cut in its middle. */
const pathPattern = /^(.{4,})(-[^-\s]{1,8})$/

const listSeparator = '、'
const isPath = (text: string): boolean => /^[^\s，；。]+-[^-\s，；。]{1,8}$/.test(text)
const maxTailLength = 12

/**
 * A text in two where it is longer than its column: the head is cut, the tail stays whole. Of two paths the
 * second stays; of more, how many there are. Nothing for other texts, which are cut at their end.
 */
export function splitPathText(text: string): readonly [head: string, tail: string] | undefined {
  const paths = text.split(listSeparator)
  const [first = '', last = ''] = [paths[0], paths.at(-1)]
  if (paths.length > 1 && paths.every(isPath))
    return paths.length === 2 && last.length <= maxTailLength
      ? [first, `${listSeparator}${last}`]
      : [first, ` 等 ${paths.length} 个`]
  const [, head, tail] = pathPattern.exec(text) ?? []
  return head && tail ? [head, tail] : undefined
}

/**
 * The head as far as it fits before the tail, with an ellipsis: cut here and not by the browser, which leaves
 * the place of half a character open. `width` in px.
 */
export function fitPathHead(
  [head, tail]: readonly [head: string, tail: string],
  width: number,
  measure: (text: string) => number,
): string {
  const letters = [...head]
  while (letters.length > 1 && measure(`${letters.join('')}…${tail}`) > width) {
    letters.pop()
  }
  return `${letters.join('')}…`
}
