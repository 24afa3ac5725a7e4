import type { Id } from '#kit/domain/id.ts'

/** What identifies a person in texts. */
export interface Identifiers {
  readonly names: readonly string[]
  readonly mobiles: readonly string[]
  readonly idCards: readonly string[]
  readonly emails: readonly string[]
}

/** Of the person that was found, and of everybody else in the company. */
export interface PersonRecord extends Identifiers {
  readonly entity: string
  readonly id: Id
}

const kinds = ['names', 'mobiles', 'idCards', 'emails'] as const

const distinct = (texts: readonly string[]): string[] => [...new Set(texts.filter(text => text !== ''))]

export const joinIdentifiers = (all: readonly Identifiers[]): Identifiers => {
  const of = (kind: (typeof kinds)[number]): string[] => distinct(all.flatMap(one => one[kind]))
  return {
    names: of('names'),
    mobiles: of('mobiles'),
    idCards: of('idCards'),
    emails: of('emails'),
  }
}

const haveCommon = (a: readonly string[], b: readonly string[]): boolean => a.some(each => b.includes(each))

/**
 * Whether two records are of one person: the same document, or the same name with a telephone in common. A
 * telephone alone is not enough: families share one.
 */
export const isSamePerson = (a: Identifiers, b: Identifiers): boolean =>
  haveCommon(a.idCards, b.idCards) || (haveCommon(a.names, b.names) && haveCommon(a.mobiles, b.mobiles))

/** All records of the person of the first one, which may be joined by way of each other. */
export function recordsOfPerson<T extends Identifiers>(first: T, all: readonly T[]): T[] {
  const found = [first]
  let rest = all.filter(each => each !== first)
  for (;;) {
    const more = rest.filter(each => found.some(one => isSamePerson(one, each)))
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
  }
}

/** What stands in place of the name of somebody who was erased. */
export const erasedName = '已删除用户'

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

/**
 * What is looked for in the texts of others: whole telephones, documents and e-mail addresses, the longest
 * first. Names and login names are not: they may be words, and other people's.
 */
export const tokensOf = ({ mobiles, idCards, emails }: Identifiers): Token[] =>
  [
    ...mobiles.filter(isTelling).map(text => ({ text, pattern: `(?<![0-9])${literalOf(text)}(?![0-9])` })),
    ...distinct(idCards.filter(isTelling).flatMap(bothCases)).map(text => ({
      text,
      pattern: `(?<![0-9A-Za-z])${literalOf(text)}(?![0-9A-Za-z])`,
    })),
    ...emails
      .filter(text => /^.+@.+\..+$/.test(text))
      .map(text => ({
        text,
        pattern: `(?<![0-9A-Za-z._%+-])${literalOf(text)}(?!\\.?[0-9A-Za-z-])`,
      })),
  ].toSorted((a, b) => b.text.length - a.text.length)

/** A text of the person with the own names and numbers blanked. */
export const withoutIdentifiers = (text: string, identifiers: Identifiers): string =>
  [
    ...tokensOf(identifiers).map(token => [token.text, blankedNumber] as const),
    ...identifiers.names.map(name => [name, erasedName] as const),
  ].reduce((rest, [found, replacement]) => rest.replaceAll(found, replacement), text)

/** A telephone by which somebody can be asked about whom no record exists. */
export const isTelephone = (text: string): boolean =>
  /^(1\d{10}|0\d{2,3}-?\d{7,8}|[48]00-?\d{3}-?\d{4})$/.test(text)
