import { addressReadings, matchAddress, normalizeKeyword, type Address, type PathPart } from './address.ts'

/** How well a record matches what was typed, the best first (BILL-11). */
export const searchRanks = ['exact', 'end', 'prefix', 'rest'] as const
export type SearchRank = (typeof searchRanks)[number]

/** One text that a record is found by. */
export interface SearchField {
  /** What it is called on the screen: 房号, 姓名. */
  readonly label: string
  readonly text: string
  /** A path of parts with dashes between them, the room number last: `12-2-1502`. */
  readonly isPath?: boolean
  /**
   * A long number that others share digits with (phone, card, plate): it ranks after every address and name,
   * however well it fits.
   */
  readonly isSecondary?: boolean
}

export interface SearchMatch {
  readonly rank: SearchRank
  readonly field: SearchField
  /** Positions in the text that match; empty where only the pinyin or a number behind a name does. */
  readonly marks: readonly number[]
}

type TextMatch = Omit<SearchMatch, 'field'>

export interface SearchCandidate {
  readonly fields: readonly SearchField[]
  /** Not in the chosen estate: listed after everything that is. */
  readonly isElsewhere?: boolean
  /** Where not all fit the limit, some of each group are shown; the group of a room is its building. */
  readonly group?: string | undefined
  /** The order among equals. */
  readonly sortKey: string
}

const range = (from: number, length: number): number[] => Array.from({ length }, (_, i) => from + i)

function rankAt(text: string, typed: string, at: number): SearchRank {
  if (text.length === typed.length) return 'exact'
  if (at + typed.length === text.length) return 'end'
  return at === 0 ? 'prefix' : 'rest'
}

/** Where a typed text occurs in another; at its end before any other place. */
function matchText(text: string, typed: string): TextMatch | undefined {
  const whole = text.toLowerCase()
  const keyword = normalizeKeyword(typed)
  if (!keyword) return undefined
  const at = whole.endsWith(keyword) ? whole.length - keyword.length : whole.indexOf(keyword)
  return at < 0 ? undefined : { rank: rankAt(whole, keyword, at), marks: range(at, keyword.length) }
}

const partsOf = (path: string): PathPart[] => {
  let at = 0
  return path
    .toLowerCase()
    .split('-')
    .map(text => {
      const part = { text, at }
      at += text.length + 1
      return part
    })
}

/**
 * A typed building and whole room number match exactly; `2 1501` matches only the end of `1-2-1501`. A path
 * of one part has no building, so its number alone is enough.
 */
const addressRanks = (isWholeNumber: boolean, namesBuilding: boolean): SearchRank =>
  isWholeNumber ? (namesBuilding ? 'exact' : 'end') : namesBuilding ? 'prefix' : 'rest'

function matchParts(path: readonly PathPart[], address: Address): TextMatch | undefined {
  const match = matchAddress(path, address)
  if (!match) return undefined
  const { hits, isFromStart, isWholeNumber } = match
  return {
    rank: addressRanks(isWholeNumber, isFromStart || (isWholeNumber && hits.length === 1)),
    marks: hits.flatMap(({ at, length }) => range(at, length)),
  }
}

const rankOf = (match: { readonly rank: SearchRank }): number => searchRanks.indexOf(match.rank)

/** The better of two; of equal ones the first. */
const betterMatch = <M extends { readonly rank: SearchRank }>(
  a: M | undefined,
  b: M | undefined,
): M | undefined => (a && b ? (rankOf(b) < rankOf(a) ? b : a) : (a ?? b))

/** A number, or a whole path without its dashes: `1502`, `321502`. */
function matchJoined(path: string, parts: readonly PathPart[], typed: string): TextMatch | undefined {
  const number = parts.at(-1)
  const ofNumber: TextMatch | undefined = number?.text.startsWith(typed)
    ? { rank: number.text === typed ? 'exact' : 'prefix', marks: range(number.at, typed.length) }
    : undefined
  const positions = [...path].flatMap((c, i) => (c === '-' ? [] : [i]))
  const joined = matchText(positions.map(i => path[i]).join(''), typed)
  return betterMatch(
    ofNumber,
    joined && { rank: joined.rank, marks: joined.marks.flatMap(i => positions[i] ?? []) },
  )
}

function matchPath(field: SearchField, typed: string, plain: TextMatch | undefined): TextMatch | undefined {
  if (plain?.rank === 'exact') return plain
  const path = partsOf(field.text)
  const matchReading = (address: Address): TextMatch | undefined => {
    const [only] = address.parts
    const isNumber = only && address.parts.length === 1 && !address.isClosed && !only.place
    return isNumber ? matchJoined(field.text, path, only.texts[0]) : matchParts(path, address)
  }
  return addressReadings(typed).map(matchReading).reduce(betterMatch)
}

function matchField(field: SearchField, typed: string): SearchMatch | undefined {
  const plain = matchText(field.text, typed)
  const match = field.isPath ? matchPath(field, typed, plain) : plain
  return match && { ...match, field }
}

/** The last level: nothing shows why the record was found, as where its pinyin was typed. */
export const unexplainedLevel = 2 * searchRanks.length

/** Addresses and names by their ranks, then the numbers behind them by theirs. */
export const searchLevel = (match: SearchMatch | undefined): number =>
  match ? Number(match.field.isSecondary ?? false) * searchRanks.length + rankOf(match) : unexplainedLevel

/** The best answer of a record's texts to what was typed; of equal ones the first text. */
export function matchSearch(typed: string, fields: readonly SearchField[]): SearchMatch | undefined {
  const matches = fields.flatMap(field => matchField(field, typed) ?? [])
  return matches.toSorted((a, b) => searchLevel(a) - searchLevel(b))[0]
}

interface Ranked<C> {
  readonly candidate: C
  readonly match: SearchMatch | undefined
}

const byOrder = <C extends SearchCandidate>({ candidate: a }: Ranked<C>, { candidate: b }: Ranked<C>) =>
  a.sortKey < b.sortKey ? -1 : Number(a.sortKey > b.sortKey)

/** Takes up to `limit` of equally ranked results, from every group in turn, and keeps their order. */
function takeFromGroups<C extends SearchCandidate>(equals: readonly Ranked<C>[], limit: number) {
  if (equals.length <= limit) return equals
  const turnByGroup = new Map<string | undefined, number>()
  const turns = equals.map(entry => {
    const turn = turnByGroup.get(entry.candidate.group) ?? 0
    turnByGroup.set(entry.candidate.group, turn + 1)
    return { entry, turn }
  })
  const taken = new Set(
    turns
      .toSorted((a, b) => a.turn - b.turn)
      .slice(0, limit)
      .map(({ entry }) => entry),
  )
  return equals.filter(entry => taken.has(entry))
}

/**
 * The best of what was found, in one order for every search of the product (BILL-11): the chosen estate
 * first; addresses and names before phones and other long numbers; exact, end, prefix and the rest; equals
 * in their natural order; where not all of a level are given, some of every building.
 */
export function rankSearch<C extends SearchCandidate>(
  typed: string,
  candidates: readonly C[],
  limit: number,
): readonly Ranked<C>[] {
  const ranked = candidates.map(candidate => ({ candidate, match: matchSearch(typed, candidate.fields) }))
  const levels = Map.groupBy(
    ranked,
    ({ candidate, match }) =>
      Number(candidate.isElsewhere ?? false) * (unexplainedLevel + 1) + searchLevel(match),
  )
  const best: Ranked<C>[] = []
  for (const [, equals] of [...levels].toSorted(([a], [b]) => a - b)) {
    best.push(...takeFromGroups(equals.toSorted(byOrder), limit - best.length))
    if (best.length >= limit) {
      break
    }
  }
  return best
}
