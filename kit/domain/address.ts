/** The part of a path that a text names: `2栋`, `1单元`, `1501室`. */
export type AddressPlace = 'building' | 'unit' | 'number'

export interface AddressPart {
  /** The spellings it may have in a path: `十二栋` is 12, or a building of that name. */
  readonly texts: readonly [string, ...string[]]
  /** Where it is in the path; any place where nothing says so. It is typed whole. */
  readonly place?: AddressPlace
}

export interface Address {
  readonly parts: readonly AddressPart[]
  /** A separator is at the end: the last part is typed to its end. */
  readonly isClosed: boolean
}

/** 楼 is a floor as well, and 号 a house or a room: they separate and say no more. */
const placeByWord: Readonly<Record<string, AddressPlace>> = {
  栋: 'building',
  幢: 'building',
  座: 'building',
  号楼: 'building',
  单元: 'unit',
  室: 'number',
  房: 'number',
}

const separator = String.raw`[\s\-－—–#、,，/]`
const digits = '一二三四五六七八九'
const words = '号楼|单元|[栋幢座楼号室房]'

/** A part and the word behind it, which counts only after a number or a letter (3栋, A座). */
const partAndWord = new RegExp(
  `((?!${separator}).+?)(?:(?<=[0-9a-z])\\s*(${words})|(?=${separator}|$))`,
  'gu',
)

/** 十二 before the word of a building or unit. */
const chineseNumber = new RegExp(
  `(?<=^|[0-9a-z栋幢座楼元]|${separator})([${digits}]?)(十?)([${digits}]?)(?=\\s*(栋|幢|座|号楼|单元))`,
  'gu',
)

/** What was typed as it is compared: full-width digits and letters are read as plain ones. */
export const normalizeKeyword = (typed: string): string => typed.normalize('NFKC').trim().toLowerCase()

const readNumber = (tens: string, ten: string, ones: string): number | undefined => {
  const valueOf = (digit: string): number => digits.indexOf(digit) + 1
  if (!ten) return tens && ones ? undefined : valueOf(tens || ones)
  return (tens ? valueOf(tens) : 1) * 10 + (ones ? valueOf(ones) : 0)
}

/** The parts of an address as typed: `12 1501`, `12栋1501室`, `12-1501` are 12 and 1501. */
export function splitAddress(typed: string): Address {
  const spelledByNumber = new Map<string, string>()
  const text = normalizeKeyword(typed).replace(
    chineseNumber,
    (whole: string, tens: string, ten: string, ones: string, word: string) => {
      const number = whole && readNumber(tens, ten, ones)
      if (!number) return whole
      spelledByNumber.set(`${number}${word}`, `${whole}${word}`)
      return String(number)
    },
  )
  const parts = [...text.matchAll(partAndWord)].map(([, name = '', word = '']): AddressPart => {
    const spelled = spelledByNumber.get(`${name}${word}`)
    const place = placeByWord[word]
    return { texts: spelled ? [name, spelled] : [name], ...(place ? { place } : {}) }
  })
  return { parts, isClosed: new RegExp(`(?:${separator}|(?<=[0-9a-z]\\s*)[楼号])$`, 'u').test(text) }
}

/**
 * The addresses that may be meant, as typed first: the name of a building may be before a number without
 * anything between (`商业街101`), or end in a number of its own (`翠园3`).
 */
export function addressReadings(typed: string): readonly [Address, ...Address[]] {
  const text = normalizeKeyword(typed)
  const separated = text.replaceAll(/(?<=\p{Script=Han})(?=\d)/gu, ' ')
  const asTyped = splitAddress(text)
  const apart = splitAddress(separated)
  return apart.parts.length > asTyped.parts.length ? [asTyped, apart] : [asTyped]
}

/** Whether a number was typed, 十二栋 too. */
export const hasAddressNumber = (typed: string): boolean =>
  splitAddress(typed).parts.some(({ texts }) => /\d/.test(texts[0]))

export interface PathPart {
  readonly text: string
  /** Its position in the path. */
  readonly at: number
}

/** A path is building, unit and number; a building's name may have dashes of its own. */
const placeAllows: Readonly<Record<AddressPlace, (index: number, length: number) => boolean>> = {
  building: (index, length) => (index === 0 ? length > 1 : index < length - 2),
  unit: (index, length) => index > 0 && index === length - 2,
  number: (index, length) => index === length - 1,
}

export interface AddressMatch {
  readonly hits: readonly { readonly at: number; readonly length: number }[]
  /** From the beginning of the path: the building that was meant, where several parts are typed. */
  readonly isFromStart: boolean
  /** The last of them is the whole number of the room. */
  readonly isWholeNumber: boolean
}

/** Parts of an address in their order, whole but for the last, which may be half typed. */
export function matchAddress(
  path: readonly PathPart[],
  { parts, isClosed }: Address,
): AddressMatch | undefined {
  const last = path.length - 1
  const hits: { index: number; at: number; length: number }[] = []
  let isWholeNumber = false
  for (const [order, { texts, place }] of parts.entries()) {
    const from = (hits.at(-1)?.index ?? -1) + 1
    const isLast = order === parts.length - 1
    const isOpen = isLast && !isClosed && !place
    const textAt = (index: number): string | undefined =>
      index < from || (place && !placeAllows[place](index, path.length))
        ? undefined
        : texts.find(text => (isOpen ? path[index]?.text.startsWith(text) : path[index]?.text === text))
    // The last is the number of the room where it can be.
    const index =
      isLast && textAt(last) !== undefined
        ? last
        : path.findIndex((_, candidate) => textAt(candidate) !== undefined)
    const hit = path[index]
    const text = textAt(index)
    if (!hit || text === undefined) return undefined
    hits.push({ index, at: hit.at, length: text.length })
    isWholeNumber = index === last && hit.text === text
  }
  const first = hits[0]
  return first && { hits, isFromStart: first.index === 0, isWholeNumber }
}

const escapePart = (part: string): string => part.replace(/[\\^$.|?*+()[\]{}]/g, c => `\\${c}`)

/** One part for a regular expression, with what has to follow it; the first with what stands before it. */
function partPattern({ texts, place }: AddressPart, isFirst: boolean): string {
  const text = texts.length > 1 ? `(?:${texts.map(escapePart).join('|')})` : escapePart(texts[0])
  const start = isFirst ? '(^|-)' : ''
  if (place === 'building') return isFirst ? `(^${text}(?=-)|-${text}(?=-[^ ]*-))` : `${text}(?=-[^ ]*-)`
  if (place === 'unit') return `${isFirst ? '-' : ''}${text}(?=-[^ -]*( |$))`
  if (place === 'number') return `${start}${text}(?= |$)`
  return `${start}${text}`
}

const joinPatterns = (parts: readonly AddressPart[]): string =>
  parts.map((part, n) => partPattern(part, n === 0)).join('-([^ ]*-)?')

/**
 * A regular expression for the same addresses in `path`, as `matchAddress` reads them; nothing for a single
 * part without its place, which any part of the text may hold.
 */
export function addressPattern({ parts, isClosed }: Address): string | undefined {
  const last = parts.at(-1)
  if (!last || (parts.length < 2 && !isClosed && !last.place)) return undefined
  return `${joinPatterns(parts)}${isClosed && !last.place ? '(-| |$)' : ''}`
}

export interface AddressAndName {
  readonly address: string
  readonly name: string
}

/** `8-2-903 覃`, `覃 8-2-903`: an address and a name of somebody there, apart by a space. */
export function splitAddressAndName(typed: string): AddressAndName | undefined {
  const typedWords = normalizeKeyword(typed).split(/\s+/)
  const isName = (word: string): boolean => /^\p{L}+$/u.test(word)
  const [first = '', last = ''] = [typedWords[0], typedWords.at(-1)]
  const split = [
    { address: typedWords.slice(0, -1).join(' '), name: last },
    { address: typedWords.slice(1).join(' '), name: first },
  ].find(({ address, name }) => isName(name) && hasAddressNumber(address))
  return typedWords.length > 1 ? split : undefined
}

/** The same for addresses that end with the last part: its number was typed whole. */
export const wholeAddressPattern = ({ parts }: Address): string => `${joinPatterns(parts)}$`

/** A name that is typed to its end, with what would be behind it: `商业街-`. */
const trimSeparators = (text: string): string =>
  text.replace(new RegExp(`^${separator}+`, 'u'), '').replace(new RegExp(`${separator}+$`, 'u'), '')

export interface ProjectAndPlace {
  readonly project: string
  readonly place: string
}

/** `锦绣花园 商业街`, `锦绣花园3-1-1502`: what may be the name of a project, and the place there. */
export function splitProjectAndPlace(typed: string): ProjectAndPlace | undefined {
  const text = trimSeparators(normalizeKeyword(typed))
  const split = new RegExp(`^(.*?\\p{L})(?:${separator}+|(?<=\\p{Script=Han})(?=\\d))(.+)$`, 'u').exec(text)
  const [, project = '', place = ''] = split ?? []
  const isBuilding = splitAddress(project).parts.at(-1)?.place !== undefined
  return project.length > 1 && !isBuilding && canNamePlaces(place) ? { project, place } : undefined
}

/** What is before a number or a letter that is meant whole, and behind the number of a building. */
const wholeStart = '(?:^|[^0-9a-z])'
const buildingEnd = '(?:栋|幢|座|号楼|$)'

/** Shorter Latin words are initials of people and beginnings of codes. */
const minLatinName = 3

/**
 * A regular expression for the names of buildings that are meant by a text alone (`商业街`, `A座`, `3栋`),
 * in small letters without blanks. Nothing where the text is a number, or names a unit or a room.
 */
export function buildingNamePattern(typed: string): string | undefined {
  const text = trimSeparators(normalizeKeyword(typed)).replaceAll(/\s+/g, '')
  const isNameless = !/\p{L}/u.test(text) || new RegExp(`^(?:${words})$`, 'u').test(text)
  if (isNameless) return undefined
  const { parts } = splitAddress(text)
  const last = parts.at(-1)
  const endsInNumber = parts.length > 1 && !last?.place && /\d/.test(last?.texts[0] ?? '')
  if (endsInNumber || last?.place === 'unit' || last?.place === 'number') return undefined
  if (last?.place && parts.length === 1)
    return `${wholeStart}(?:${last.texts.map(escapePart).join('|')})${buildingEnd}`
  // eslint-disable-next-line no-control-regex -- plain ASCII is meant
  if (/^[\x00-\x7f]*$/.test(text) && text.length < minLatinName) return undefined
  const start = /^[0-9a-z]/.test(text) ? wholeStart : ''
  return `${start}${escapePart(text)}${/\d$/.test(text) ? '(?![0-9])' : ''}`
}

/** Whether rooms may be meant: by a number, or by the name of their building. */
export const canNamePlaces = (typed: string): boolean =>
  hasAddressNumber(typed) || buildingNamePattern(typed) !== undefined
