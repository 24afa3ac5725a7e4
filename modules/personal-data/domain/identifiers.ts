import type { Id } from '#kit/domain/id.ts'

/** What identifies a person in texts. */
export interface Identifiers {
  readonly names: readonly string[]
  readonly mobiles: readonly string[]
  readonly idCards: readonly string[]
  readonly emails: readonly string[]
  /** Number plates of the person's cars. */
  readonly plates: readonly string[]
}

export const noIdentifiers: Identifiers = { names: [], mobiles: [], idCards: [], emails: [], plates: [] }

/** Of the person that was found, and of everybody else in the company. */
export interface PersonRecord extends Identifiers {
  readonly entity: string
  readonly id: Id
}

const kinds = ['names', 'mobiles', 'idCards', 'emails', 'plates'] as const

const distinct = (texts: readonly string[]): string[] => [...new Set(texts.filter(text => text !== ''))]

export const joinIdentifiers = (all: readonly Identifiers[]): Identifiers => {
  const of = (kind: (typeof kinds)[number]): string[] => distinct(all.flatMap(one => one[kind]))
  return {
    names: of('names'),
    mobiles: of('mobiles'),
    idCards: of('idCards'),
    emails: of('emails'),
    plates: of('plates'),
  }
}

const haveCommon = (a: readonly string[], b: readonly string[]): boolean => a.some(each => b.includes(each))

/**
 * Whether two records are of one person: the same document, or the same name with a telephone in common. A
 * telephone alone is not enough: families share one.
 */
export const isSamePerson = (a: Identifiers, b: Identifiers): boolean =>
  haveCommon(a.idCards, b.idCards) || (haveCommon(a.names, b.names) && haveCommon(a.mobiles, b.mobiles))

/** Those of the others that are of the same person, which may be joined by way of each other. */
export function recordsOfPerson<T extends Identifiers>(known: readonly T[], others: readonly T[]): T[] {
  const found: T[] = []
  let rest = others
  for (;;) {
    const people = [...known, ...found]
    const more = rest.filter(each => people.some(one => isSamePerson(one, each)))
    if (!more.length) return found
    found.push(...more)
    rest = rest.filter(each => !more.includes(each))
  }
}

/** The identifiers that no other record of the company has. */
export function exclusiveIdentifiers(person: Identifiers, others: readonly Identifiers[]): Identifiers {
  const everybody = joinIdentifiers(others)
  const without = (own: readonly string[], taken: readonly string[]): string[] =>
    own.filter(each => !taken.includes(each))
  return {
    names: without(person.names, everybody.names),
    mobiles: without(person.mobiles, everybody.mobiles),
    idCards: without(person.idCards, everybody.idCards),
    emails: without(person.emails, everybody.emails),
    plates: without(person.plates, everybody.plates),
  }
}

/**
 * What stands in place of the name of somebody who was erased: the number of the request, so that what
 * belongs together is still set apart from the rest, and nobody can tell whose it was.
 */
export const personCode = (requestId: Id): string => `注销人员${requestId}`

/** What stands in place of a number in a text, and of a text that must not be empty. */
export const blankedNumber = '***'
export const blankedText = '已删除'

export interface Token {
  readonly text: string
  /** A pattern of PostgreSQL that finds the text where it is no part of a longer one. */
  readonly pattern: string
}

const literalOf = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

const digitsIn = (text: string): number => text.replace(/\D/g, '').length

/** A short number may be an amount, a room, a count: it is no sign of a person. */
const isTelling = (text: string): boolean => digitsIn(text) >= 7

const bothCases = (idCard: string): string[] => [idCard, idCard.toUpperCase(), idCard.toLowerCase()]

const wholeWord = (text: string): string => `(?<![0-9A-Za-z])${literalOf(text)}(?![0-9A-Za-z])`

/**
 * Whole telephones, documents, plates and e-mail addresses, the longest first: in any text they are a
 * sign.
 */
export const tokensOf = ({ mobiles, idCards, emails, plates }: Identifiers): Token[] =>
  [
    ...mobiles.filter(isTelling).map(text => ({ text, pattern: `(?<![0-9])${literalOf(text)}(?![0-9])` })),
    ...distinct([...idCards.filter(isTelling), ...plates].flatMap(bothCases)).map(text => ({
      text,
      pattern: wholeWord(text),
    })),
    ...emails
      .filter(text => /^.+@.+\..+$/.test(text))
      .map(text => ({
        text,
        pattern: `(?<![0-9A-Za-z._%+-])${literalOf(text)}(?!\\.?[0-9A-Za-z-])`,
      })),
  ].toSorted((a, b) => b.text.length - a.text.length)

/** One character is in every other word. */
const isLongEnough = (name: string): boolean => [...name].length >= 2

const longestFirst = (names: readonly string[]): string[] => names.toSorted((a, b) => b.length - a.length)

/**
 * Names within texts that are known to speak of the person. Elsewhere a name may be a word or somebody
 * else's: there it is a hint for people.
 */
export const nameTokensOf = ({ names }: Pick<Identifiers, 'names'>): Token[] =>
  longestFirst(names.filter(isLongEnough)).map(text => ({
    text,
    pattern: /^[\x20-\x7e]+$/.test(text) ? wholeWord(text) : literalOf(text),
  }))

/** A text that is a name and nothing else. */
export const wholeNameTokensOf = ({ names }: Pick<Identifiers, 'names'>): Token[] =>
  longestFirst(names).map(text => ({ text, pattern: `^\\s*${literalOf(text)}\\s*$` }))

/** A text of the person with the own names and numbers blanked. */
export const withoutIdentifiers = (text: string, identifiers: Identifiers, code: string): string =>
  [
    ...tokensOf(identifiers).map(token => [token.text, blankedNumber] as const),
    ...nameTokensOf(identifiers).map(token => [token.text, code] as const),
  ].reduce((rest, [found, replacement]) => rest.replaceAll(found, replacement), text)

/** What stands for one person: a telephone, a document or an e-mail address, and no name. */
export const isWholeNumber = (text: string): boolean => isTelling(text) || /^.+@.+\..+$/.test(text)

/** A telephone by which somebody can be asked about whom no record exists. */
export const isTelephone = (text: string): boolean =>
  /^(1\d{10}|0\d{2,3}-?\d{7,8}|[48]00-?\d{3}-?\d{4})$/.test(text)
