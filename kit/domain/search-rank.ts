/** How well a record answers to what was typed, the best first (BILL-11). */
export const searchRanks = ['exact', 'end', 'prefix', 'rest'] as const
export type SearchRank = (typeof searchRanks)[number]

/** One text that a record is found by. */
export interface SearchField {
  /** What it is called on the screen: 房号, 姓名. */
  readonly label: string
  readonly text: string
  /** Its parts stand between dashes, the last is the number: `12-2-1502`. */
  readonly isPath?: boolean
}

export interface SearchMatch {
  readonly rank: SearchRank
  readonly field: SearchField
  /** Positions in the text that answer; empty where only the pinyin or a number behind a name did. */
  readonly marks: readonly number[]
}

type TextMatch = Omit<SearchMatch, 'field'>

export interface SearchCandidate {
  readonly fields: readonly SearchField[]
  /** Not of the chosen estate: after all that are. */
  readonly isElsewhere?: boolean
  /** Before others that answer as well: who owes. */
  readonly isPreferred?: boolean
  /** Of the best that fit, each group has some: the building. */
  readonly group?: string | undefined
  /** The order among equals. */
  readonly sortKey: string
}

/** What people write between the parts of an address; a word only after a number or letter (3栋, A座). */
const separators = /(?<=[0-9a-z])\s*(?:号楼|单元|[栋幢座楼号室房])|[\s\-－—–#、,，/]+/gu

export interface SearchParts {
  readonly parts: readonly string[]
  /** A separator stands at the end: the last part is typed to its end. */
  readonly isClosed: boolean
}

/** The parts of an address as typed: `12 1501`, `12栋1501室`, `12-1501` are 12 and 1501. */
export function splitAddress(typed: string): SearchParts {
  const text = typed.normalize('NFKC').trim().toLowerCase().replace(separators, '-')
  return {
    parts: text.split('-').filter(Boolean),
    isClosed: text.endsWith('-') && !/[室房]$/u.test(typed.trim()),
  }
}

const range = (from: number, length: number): number[] => Array.from({ length }, (_, i) => from + i)

function rankAt(text: string, typed: string, at: number): SearchRank {
  if (text.length === typed.length) return 'exact'
  if (at + typed.length === text.length) return 'end'
  return at === 0 ? 'prefix' : 'rest'
}

/** Where a typed text stands in another, at its best place. */
function matchText(text: string, typed: string): TextMatch | undefined {
  const whole = text.toLowerCase()
  const keyword = typed.trim().toLowerCase()
  if (!keyword) return undefined
  const at = whole.endsWith(keyword) ? whole.length - keyword.length : whole.indexOf(keyword)
  return at < 0 ? undefined : { rank: rankAt(whole, keyword, at), marks: range(at, keyword.length) }
}

interface PathPart {
  readonly text: string
  readonly at: number
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

/** Parts of an address in their order, whole but for the last, which may be half typed. */
function matchParts(path: readonly PathPart[], { parts, isClosed }: SearchParts): TextMatch | undefined {
  const found: (readonly [PathPart, string])[] = []
  let from = 0
  for (const [n, part] of parts.entries()) {
    const isLast = n === parts.length - 1
    const isFit = ({ text }: PathPart): boolean =>
      isLast && !isClosed ? text.startsWith(part) : text === part
    // The last is the number of the room where it can be.
    const last = path.length - 1
    const lastPart = path[last]
    const at =
      isLast && last >= from && lastPart && isFit(lastPart)
        ? last
        : path.findIndex((p, i) => i >= from && isFit(p))
    const hit = path[at]
    if (!hit) return undefined
    found.push([hit, part])
    from = at + 1
  }
  const final = found.at(-1)
  if (!final) return undefined
  const [hit, typed] = final
  const isNumber = hit === path.at(-1)
  return {
    rank: isNumber && hit.text === typed ? 'exact' : 'prefix',
    marks: found.flatMap(([part, text]) => range(part.at, text.length)),
  }
}

/** A number, or a whole path without its dashes: `1502`, `321502`. */
function matchJoined(path: string, parts: readonly PathPart[], typed: string) {
  const number = parts.at(-1)
  if (number && number.text.startsWith(typed))
    return {
      rank: number.text === typed ? ('exact' as const) : ('prefix' as const),
      marks: range(number.at, typed.length),
    }
  const positions = [...path].flatMap((c, i) => (c === '-' ? [] : [i]))
  const joined = positions
    .map(i => path[i])
    .join('')
    .toLowerCase()
  const match = matchText(joined, typed)
  return match && { rank: match.rank, marks: match.marks.flatMap(i => positions[i] ?? []) }
}

function matchPath(field: SearchField, typed: string, plain: TextMatch | undefined): TextMatch | undefined {
  if (plain?.rank === 'exact') return plain
  const address = splitAddress(typed)
  const path = partsOf(field.text)
  const [only] = address.parts
  const isNumber = only !== undefined && address.parts.length === 1 && !address.isClosed
  return isNumber ? matchJoined(field.text, path, only) : matchParts(path, address)
}

function matchField(field: SearchField, typed: string): SearchMatch | undefined {
  const plain = matchText(field.text, typed)
  const match = field.isPath ? matchPath(field, typed, plain) : plain
  return match && { ...match, field }
}

/** The best answer of a record's texts to what was typed; of equal ones the first text. */
export function matchSearch(typed: string, fields: readonly SearchField[]): SearchMatch | undefined {
  const matches = fields.flatMap(field => matchField(field, typed) ?? [])
  return matches.toSorted((a, b) => searchRanks.indexOf(a.rank) - searchRanks.indexOf(b.rank))[0]
}

interface Ranked<C> {
  readonly candidate: C
  readonly match: SearchMatch | undefined
}

const rankIndex = ({ match }: Ranked<unknown>): number => searchRanks.indexOf(match?.rank ?? 'rest')

const byOrder = <C extends SearchCandidate>({ candidate: a }: Ranked<C>, { candidate: b }: Ranked<C>) =>
  Number(b.isPreferred ?? false) - Number(a.isPreferred ?? false) ||
  (a.sortKey < b.sortKey ? -1 : Number(a.sortKey > b.sortKey))

/** How many are seen at once: a search shows so many before it scrolls. */
const visibleCount = 10

/** The first of a rank, from every group in turn; what is taken keeps its order, as does what is left. */
function spreadOverGroups<C extends SearchCandidate>(equals: readonly Ranked<C>[], limit: number) {
  if (limit <= 0 || equals.length <= limit) return equals
  const turnByGroup = new Map<string | undefined, number>()
  const turns = equals.map(entry => {
    const turn = turnByGroup.get(entry.candidate.group) ?? 0
    turnByGroup.set(entry.candidate.group, turn + 1)
    return { entry, turn }
  })
  const first = new Set(
    turns
      .toSorted((a, b) => a.turn - b.turn)
      .slice(0, limit)
      .map(({ entry }) => entry),
  )
  return [...equals.filter(entry => first.has(entry)), ...equals.filter(entry => !first.has(entry))]
}

/**
 * The best of what was found, in one order for every search of the product (BILL-11): the chosen estate
 * first, then exact, end, prefix and the rest; who owes before who does not; where not all of a rank are seen
 * at once, some of every building.
 */
export function rankSearch<C extends SearchCandidate>(
  typed: string,
  candidates: readonly C[],
  limit: number,
): readonly Ranked<C>[] {
  const ranked = candidates.map(candidate => ({ candidate, match: matchSearch(typed, candidate.fields) }))
  const levels = Map.groupBy(
    ranked,
    entry => Number(entry.candidate.isElsewhere ?? false) * searchRanks.length + rankIndex(entry),
  )
  const best: Ranked<C>[] = []
  for (const [, equals] of [...levels].toSorted(([a], [b]) => a - b)) {
    const sorted = equals.toSorted(byOrder)
    best.push(...spreadOverGroups(sorted, Math.min(limit, visibleCount) - best.length))
    if (best.length >= limit) {
      break
    }
  }
  return best.slice(0, limit)
}

/**
 * A regular expression for the same addresses in `path`, as `matchParts` reads them; nothing for a single
 * part, which any part of the text may hold.
 */
export function addressPattern({ parts, isClosed }: SearchParts): string | undefined {
  if (parts.length < 2 && !isClosed) return undefined
  const escaped = parts.map(part => part.replace(/[\\^$.|?*+()[\]{}]/g, c => `\\${c}`))
  return `(^|-)${escaped.join('-([^ ]*-)?')}${isClosed ? '(-| |$)' : ''}`
}
