import { keysOfRecord } from '#kit/domain/records.ts'

/** The seven meanings a state can have on screen; absent: a category, plain text. */
export type Tone = 'done' | 'doing' | 'todo' | 'bad' | 'hold' | 'open' | 'off'

/** Each choice has its names in one row: the internal one, the wire's, the user's, and what it means. */
export type ChoiceRow = readonly [code: number | string, label: string, tone?: Tone]

export interface Choices<K extends string = string> {
  /** Under which `Enums/GetCodeValues` serves it. */
  readonly name: string
  readonly label: string
  readonly rows: { readonly [key in K]: ChoiceRow }
  /** What any other code of the wire means; without it, such a code is refused. */
  readonly otherwise?: K
}

export type ChoiceOf<C> = C extends Choices<infer K> ? K : never

/** A table of choices: `choiceTable('RoomState', '房态', { vacant: [30, '空置', 'open'] })`. */
export const choiceTable = <const R extends { readonly [key: string]: ChoiceRow }>(
  name: string,
  label: string,
  rows: R,
  otherwise?: keyof R & string,
): Choices<keyof R & string> => ({ name, label, rows, ...(otherwise === undefined ? {} : { otherwise }) })

export const codeOf = <K extends string>(c: Choices<K>, key: K): number | string => c.rows[key][0]
export const labelOf = (c: Choices, key: string): string => c.rows[key]?.[1] ?? key

/** All keys of a choice, in their order. */
export const keysOf = <K extends string>(c: Choices<K>): K[] => keysOfRecord(c.rows)

/** The key behind a code as the wire or the table says it (number or its text); nothing when unknown. */
export const keyOf = <K extends string>(c: Choices<K>, code: number | string): K | undefined =>
  keysOf(c).find(k => String(c.rows[k][0]) === String(code))
