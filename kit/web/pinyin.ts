/**
 * Whether a text matches what was typed: as it is, by full pinyin or by initials. Gives the matched
 * positions, nothing when not.
 */
export type PinyinMatcher = (text: string, typed: string) => readonly number[] | undefined

/** Positions of a plain hit, letters without regard to case. */
export function matchPlain(text: string, typed: string): readonly number[] | undefined {
  const index = typed ? text.toLowerCase().indexOf(typed.toLowerCase()) : -1
  return index < 0 ? undefined : Array.from({ length: typed.length }, (_, i) => index + i)
}

let matcherPromise: Promise<PinyinMatcher> | undefined

/**
 * The dictionary is large: it is fetched with the first search. Polyphones are tried in all their readings.
 */
export const loadPinyinMatcher = (): Promise<PinyinMatcher> =>
  (matcherPromise ??= import('pinyin-pro').then(
    ({ match }): PinyinMatcher =>
      (text, typed) => {
        const plainMatch = matchPlain(text, typed)
        if (plainMatch || !/^[a-z\s]+$/i.test(typed)) return plainMatch
        return match(text, typed.toLowerCase(), { precision: 'start', continuous: true }) ?? undefined
      },
    () => {
      matcherPromise = undefined
      return matchPlain
    },
  ))
