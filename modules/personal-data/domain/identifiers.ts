import type { Id } from '#kit/domain/id.ts'

/** What identifies a person in texts. */
export interface Identifiers {
  readonly names: readonly string[]
  readonly mobiles: readonly string[]
  readonly idCards: readonly string[]
  readonly emails: readonly string[]
  readonly others: readonly string[]
}

/** Of the person that was found, and of everybody else in the company. */
export interface PersonRecord extends Identifiers {
  readonly entity: string
  readonly id: Id
}

const kinds = ['names', 'mobiles', 'idCards', 'emails', 'others'] as const

const distinct = (texts: readonly string[]): string[] => [...new Set(texts.filter(text => text !== ''))]

export const joinIdentifiers = (all: readonly Identifiers[]): Identifiers => {
  const of = (kind: (typeof kinds)[number]): string[] => distinct(all.flatMap(one => one[kind]))
  return {
    names: of('names'),
    mobiles: of('mobiles'),
    idCards: of('idCards'),
    emails: of('emails'),
    others: of('others'),
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

/**
 * The identifiers that nobody else in the company has: they may be looked for in any text. A name that is a
 * part of another person's name is not one's own there, nor is a name of a single character.
 */
export function exclusiveIdentifiers(person: Identifiers, others: readonly Identifiers[]): Identifiers {
  const everybody = joinIdentifiers(others)
  const without = (own: readonly string[], taken: readonly string[]): string[] =>
    own.filter(each => !taken.includes(each))
  return {
    names: person.names.filter(
      name => [...name].length > 1 && !everybody.names.some(other => other.includes(name)),
    ),
    mobiles: without(person.mobiles, everybody.mobiles),
    idCards: without(person.idCards, everybody.idCards),
    emails: without(person.emails, everybody.emails),
    others: without(person.others, everybody.others),
  }
}

/** What stands in place of the name of somebody who was erased. */
export const erasedName = '已删除人员'

export interface Token {
  readonly text: string
  readonly replacement: string
  /** Digits must not stand beside it: else it is a part of another number. */
  readonly isNumber: boolean
}

/** What is looked for in texts and what it gives way to, the longest first. */
export const tokensOf = ({ names, mobiles, idCards, emails, others }: Identifiers): Token[] =>
  [
    ...names.map(text => ({ text, replacement: erasedName, isNumber: false })),
    ...[...mobiles, ...idCards].map(text => ({ text, replacement: '***', isNumber: /\d/.test(text) })),
    ...[...emails, ...others]
      .filter(text => text.length >= 6)
      .map(text => ({ text, replacement: '***', isNumber: false })),
  ].toSorted((a, b) => b.text.length - a.text.length)

/** A pattern of PostgreSQL that finds the text as it is. */
export const patternOf = ({ text, isNumber }: Token): string => {
  const literal = text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return isNumber ? `(?<![0-9])${literal}(?![0-9])` : literal
}
